/**
 * Text has a contrast of at least 4.5:1, controls of 3:1. The colours of `.google` are from
 * https://developers.google.com/identity/branding-guidelines.
 */
export const style = `
:root { color-scheme: light dark;
  --page: oklch(0.972 0.003 255); --panel: oklch(0.995 0.002 255); --line: oklch(0.895 0.007 255);
  --control: oklch(0.6 0.012 255); --text: oklch(0.24 0.012 255); --meta: oklch(0.45 0.012 255);
  --accent: oklch(0.5 0.17 262); --strong: oklch(0.44 0.17 262); --on-accent: oklch(0.99 0.003 262);
  --ok: oklch(0.48 0.12 152); --attention: oklch(0.5 0.11 70); --attention-soft: oklch(0.96 0.03 85);
  --error: oklch(0.51 0.18 25); --error-soft: oklch(0.955 0.02 25);
  --google: #ffffff; --google-line: #747775; --google-text: #1f1f1f }
@media (prefers-color-scheme: dark) { :root {
  --page: oklch(0.165 0.008 255); --panel: oklch(0.205 0.009 255); --line: oklch(0.315 0.012 255);
  --control: oklch(0.56 0.012 255); --text: oklch(0.93 0.005 255); --meta: oklch(0.74 0.01 255);
  --accent: oklch(0.72 0.13 262); --strong: oklch(0.78 0.12 262); --on-accent: oklch(0.18 0.03 262);
  --ok: oklch(0.76 0.14 152); --attention: oklch(0.8 0.13 80); --attention-soft: oklch(0.28 0.04 80);
  --error: oklch(0.73 0.15 22); --error-soft: oklch(0.27 0.045 22);
  --google: #131314; --google-line: #8e918f; --google-text: #e3e3e3 } }
* { box-sizing: border-box }
body { margin: 0; padding: min(5vh, 48px) 16px 16px; background: var(--page); color: var(--text);
  font: 16px/1.45 system-ui, sans-serif; overflow-wrap: anywhere }
main, .above, .below { max-width: 420px; margin: 0 auto }
main { padding: 24px; background: var(--panel); border: 1px solid var(--line); border-radius: 10px }
.above { display: flex; align-items: center; gap: 8px; margin-bottom: 16px; font-size: 14px; font-weight: 500 }
.above img { display: block; max-width: 160px; height: 32px; object-fit: contain; object-position: left }
.below { margin-top: 16px; color: var(--meta); font-size: 12px }
h1, h2, p, ul, ol, dl, dd, fieldset, legend { margin: 0; padding: 0; border: 0 }
h1 { font-size: 20px; line-height: 1.2; font-weight: 600; text-wrap: balance; unicode-bidi: plaintext }
h2 { font-size: 16px; line-height: 1.2; font-weight: 600 }
main > * + *, form > * + *, section > * + *, details > * + * { margin-top: 12px }
form > [type=hidden] + * { margin-top: 0 }
section { margin-top: 16px; padding-top: 16px; border-top: 1px solid var(--line) }
ul, ol { padding-left: 20px; font-size: 14px }
li + li { margin-top: 4px }
ul.plain, .products { padding: 0; list-style: none }
.products b, .products span { display: block }
.products b { font-weight: 500 }
.products span { color: var(--meta); unicode-bidi: plaintext }
.products li + li { margin-top: 8px }
.products .done { position: relative; padding-left: 24px }
.products .done::before { content: ""; position: absolute; left: 4px; top: 3px; width: 6px; height: 11px;
  border: solid var(--ok); border-width: 0 2px 2px 0; transform: rotate(45deg) }
.progress { display: flex; align-items: center; gap: 12px; font-size: 14px; color: var(--meta) }
progress { appearance: none; flex: 1; height: 6px; border: 0; border-radius: 3px; background: var(--line); overflow: hidden }
progress::-webkit-progress-bar { background: var(--line) }
progress::-webkit-progress-value { background: var(--accent) }
progress::-moz-progress-bar { background: var(--accent) }
a { color: var(--accent) } a:hover { color: var(--strong) }
.state { font-size: 14px; font-weight: 500 }
.state + h1 { margin-top: 8px }
.meta { color: var(--meta); font-size: 14px }
.ok { color: var(--ok) } .error, .refused { color: var(--error) } .off, .over { color: var(--meta) }
.notice { padding: 12px; border-radius: 6px; font-size: 14px; background: var(--attention-soft) }
.notice::before { content: "! "; color: var(--attention); font-weight: 600 }
.notice.bad { background: var(--error-soft) } .notice.bad::before { color: var(--error) }
dl { font-size: 14px } main > dl { margin-top: 16px; padding-top: 12px; border-top: 1px solid var(--line) }
dt { color: var(--meta); font-size: 12px } dd + dt { margin-top: 12px }
dd { unicode-bidi: plaintext }
code { font: 13px/1.45 ui-monospace, monospace; user-select: all }
summary { cursor: pointer; font-size: 14px; color: var(--accent) }
label, legend { display: block; font-size: 14px; font-weight: 500 }
label + input { margin-top: 4px }
.hint { color: var(--meta); font-size: 12px; font-weight: 400 }
input:not([type=radio], [type=checkbox]) { display: block; width: 100%; height: 40px; padding: 0 12px;
  border: 1px solid var(--control); border-radius: 6px; background: var(--page); color: var(--text); font: inherit }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 0 8px; align-items: start; padding: 8px 0;
  font-weight: 400; cursor: pointer }
.choice + .choice { border-top: 1px solid var(--line) }
.choice input { margin: 3px 0 0; accent-color: var(--accent) }
.choice .hint { grid-column: 2 }
.scroll { max-height: 50vh; overflow: auto; padding: 12px; border: 1px solid var(--line); border-radius: 6px }
.scroll > * + * { margin-top: 12px }
.actions { display: flex; flex-wrap: wrap; gap: 8px }
.actions > * { flex: 1 1 120px; margin: 0 }
.actions.small > * { flex: none; min-height: 32px; padding: 4px 12px; font-size: 12px }
button, .button { display: inline-flex; align-items: center; justify-content: center; gap: 10px; min-height: 40px;
  padding: 8px 16px; border: 1px solid var(--control); border-radius: 6px; background: transparent; color: var(--text);
  font: 500 14px/1.4 system-ui, sans-serif; text-decoration: none; cursor: pointer }
button.primary, .button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
button.primary:hover, .button.primary:hover { border-color: var(--strong); background: var(--strong) }
.button:hover { color: inherit } .button.primary:hover { color: var(--on-accent) }
button.quiet { min-height: 32px; padding: 4px 16px; border-color: transparent; color: var(--accent) } button.quiet:hover { color: var(--strong) }
button.google { padding: 9px 12px; border-color: var(--google-line); border-radius: 4px; background: var(--google);
  color: var(--google-text); font: 500 14px/20px Roboto, arial, sans-serif; letter-spacing: 0.25px }
button.google svg { flex: none; width: 20px; height: 20px }
form > button { width: 100% } .actions form { display: flex } .actions form > button { margin: 0 }
.lead { font-weight: 600; unicode-bidi: plaintext }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`
