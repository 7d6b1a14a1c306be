// Codes are read on the phone: by the browser where it reads codes itself, else by the script of third_party/qr.

import { byId } from "../crew/elements.js";
import { Failed, postFile } from "../crew/request.js";

const LARGEST_PIXELS = 1600,
  PAUSE_MS = 120,
  FORMATS = { formats: ["qr_code"] };

async function detector() {
  const own = window.BarcodeDetector;
  if (own && (await own.getSupportedFormats().catch(() => [])).includes("qr_code")) return new own(FORMATS);
  const { BarcodeDetector } = await import("./third_party/qr/decode.min.js");
  return new BarcodeDetector(FORMATS);
}

// Whether the browser gives a camera to this page: browsers do on encrypted connections only.
export const hasCamera = () => isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);

// Reads a photo, here or else at the server; returns what is wrong, "" when something was opened by `take`.
export async function scanPhoto(file, take) {
  try {
    const picture = await createImageBitmap(file),
      scale = Math.min(1, LARGEST_PIXELS / Math.max(picture.width, picture.height));
    const smaller =
      scale < 1
        ? await createImageBitmap(picture, {
            resizeWidth: Math.round(picture.width * scale),
            resizeHeight: Math.round(picture.height * scale),
            resizeQuality: "medium",
          })
        : picture;
    const [code] = await (await detector()).detect(smaller);
    if (code) return take(code.rawValue);
  } catch {
    /* then the server tries */
  }
  try {
    const answer = await postFile("/api/install/scan", file);
    return take(answer.device || `${answer.cable}${answer.end ?? ""}`);
  } catch (error) {
    return error instanceof Failed && error.status === 0
      ? "No code is found, and there is no connection: go closer, or type the number."
      : error.message;
  }
}

// Returns the text of a code on a photo, of a bar code too, such as a serial number.
export async function readText(file) {
  const own = window.BarcodeDetector,
    known = own ? await own.getSupportedFormats().catch(() => []) : [];
  if (known.includes("code_128"))
    try {
      const [code] = await new own({ formats: known }).detect(await createImageBitmap(file));
      if (code) return code.rawValue;
    } catch {
      /* then the server tries */
    }
  const { texts } = await postFile("/api/install/scan/texts", file);
  return texts[0] ?? "";
}

// Looks through the camera until a code is found, or the page is left; `report` shows what is going on.
export async function scanLive(take, report) {
  const video = byId("camera");
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } },
    });
  } catch {
    report("The browser gives no camera: take a photo of the code, or type the number.");
    return;
  }
  try {
    const reader = await detector();
    video.hidden = false;
    // Safari plays what is muted as a property, whatever the attribute states.
    video.muted = true;
    video.srcObject = stream;
    await video.play();
    while (video.isConnected) {
      const [code] = await reader.detect(video).catch(() => []);
      const wrong = code ? take(code.rawValue) : null;
      if (wrong === "") break;
      report(wrong ?? "Hold the camera over the code.");
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
