// Before the plotting library: it formats numbers in the browser's language as soon as it is loaded, and a browser whose
// environment says `POSIX` has a language that its own formatter refuses (Chromium 143: `en-US@posix`).
try {
  Intl.NumberFormat.supportedLocalesOf(navigator.language);
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  Object.defineProperty(navigator, 'language', { value: document.documentElement.lang });
}
