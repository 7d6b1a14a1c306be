// Numbers as on paper: commas between thousands, a no-break space before the unit.

export const SPACE = "\u00a0";
export function grouped(number, decimals = 0) {
  const [whole, rest] = Math.abs(number).toFixed(decimals).split(".");
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return (number < 0 ? "−" : "") + digits + (rest ? "." + rest : "");
}
