/**
 * The look of every page of the service: the dashboard, and the pages for customers, consent and sign-in. Text has a
 * contrast of at least 4.5:1 on every surface, controls and charts of 3:1.
 */
export const tokens = `
:root {
  color-scheme: light dark;
  --surface-0: light-dark(oklch(0.976 0.003 255), oklch(0.165 0.008 255));
  --surface-1: light-dark(oklch(0.995 0.002 255), oklch(0.205 0.009 255));
  --surface-2: light-dark(oklch(0.957 0.005 255), oklch(0.25 0.01 255));
  --surface-3: light-dark(oklch(0.925 0.007 255), oklch(0.295 0.012 255));
  --line: light-dark(oklch(0.905 0.006 255), oklch(0.3 0.012 255));
  --line-strong: light-dark(oklch(0.6 0.012 255), oklch(0.56 0.012 255));
  --text: light-dark(oklch(0.24 0.012 255), oklch(0.93 0.005 255));
  --text-2: light-dark(oklch(0.45 0.012 255), oklch(0.74 0.01 255));
  --accent: light-dark(oklch(0.5 0.17 262), oklch(0.72 0.13 262));
  --accent-strong: light-dark(oklch(0.44 0.17 262), oklch(0.78 0.12 262));
  --accent-soft: light-dark(oklch(0.94 0.03 262), oklch(0.29 0.06 262));
  --on-accent: light-dark(oklch(0.99 0.003 262), oklch(0.18 0.03 262));
  --ok: light-dark(oklch(0.48 0.12 152), oklch(0.76 0.14 152));
  --attention: light-dark(oklch(0.5 0.11 70), oklch(0.8 0.13 80));
  --error: light-dark(oklch(0.51 0.18 25), oklch(0.73 0.15 22));
  --off: var(--text-2);
  --error-soft: light-dark(oklch(0.955 0.02 25), oklch(0.27 0.045 22));
  --ok-soft: light-dark(oklch(0.955 0.035 150), oklch(0.28 0.045 155));
  --attention-soft: light-dark(oklch(0.96 0.03 85), oklch(0.28 0.04 80));
  --chart: light-dark(oklch(0.64 0.055 250), oklch(0.62 0.055 250));
  --gsc: light-dark(oklch(0.52 0.13 262), oklch(0.76 0.11 262));
  --ga4: light-dark(oklch(0.53 0.12 55), oklch(0.79 0.12 65));
  --sitesearch: light-dark(oklch(0.5 0.09 215), oklch(0.78 0.09 205));
  --gsheets: light-dark(oklch(0.5 0.12 152), oklch(0.76 0.13 152));
  --gdocs: light-dark(oklch(0.5 0.14 300), oklch(0.77 0.1 300));
  --shadow: 0 8px 28px light-dark(oklch(0.24 0.012 255 / 0.16), oklch(0.08 0.01 255 / 0.6));
  --radius-control: 6px;
  --radius-panel: 10px;
  --control: 32px;
  --row: 40px;
  --sans: "Geist", system-ui, sans-serif;
  --mono: "Geist Mono", ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace;
}
:root[data-theme="light"] { color-scheme: light }
:root[data-theme="dark"] { color-scheme: dark }
@media (pointer: coarse) { :root { --control: 40px; --row: 48px } }
`

/** Other alphabets are in the fonts of the system. From the `unicode-range` of `@fontsource-variable`. */
const latin = "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F," +
  "U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD"

/**
 * @param url that of a variable font in WOFF2
 * @param display `optional` leaves the page in the font of the system if the font comes too late, so that nothing moves
 */
export const fontFace = (family: string, url: string, display: "optional" | "swap" = "swap"): string =>
  `@font-face { font-family: "${family}"; font-weight: 100 900; font-display: ${display};
  src: url("${url}") format("woff2"); unicode-range: ${latin} }
`
