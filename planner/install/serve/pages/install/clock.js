// Hybrid logical clock in µs: later than everything that this phone knows, whatever the time of day on it.

export class Clock {
  constructor({ last = 0, offset = 0 } = {}) {
    this.last = last;
    this.offset = offset;
  }
  next(now_ms = Date.now()) {
    this.last = Math.max(Math.round(now_ms * 1000 + this.offset), this.last + 1);
    return this.last;
  }
  // The server's clock, at every contact.
  adopt(server, now_ms = Date.now()) {
    this.offset = server - now_ms * 1000;
    this.last = Math.max(this.last, server);
  }
  // After the server has refused a clock that is too far ahead.
  restart(server, now_ms = Date.now()) {
    this.last = 0;
    this.adopt(server, now_ms);
  }
}

// Random UUID; browsers have their own only on secure pages.
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join("-");
}
