import { fontFace, tokens } from "../../Api/Pages/Tokens.ts"
import { fontPath } from "../PageFont.ts"

/** The colours of `.google` are from https://developers.google.com/identity/branding-guidelines. */
export const style = `
${
  fontFace("Geist", fontPath)
}${tokens}:root { --google: light-dark(#ffffff, #131314); --google-line: light-dark(#747775, #8e918f);
  --google-text: light-dark(#1f1f1f, #e3e3e3) }
* { box-sizing: border-box }
html:has(.decision) { scroll-padding-bottom: 80px }
body { margin: 0; padding: min(5vh, 48px) 16px 16px; background: var(--surface-0); color: var(--text);
  font: 16px/1.45 var(--sans); overflow-wrap: anywhere }
main, .above, .below { max-width: 420px; margin: 0 auto }
main { padding: 24px; background: var(--surface-1); border: 1px solid var(--line); border-radius: var(--radius-panel) }
.above { display: flex; align-items: center; gap: 8px; margin-bottom: 16px; font-size: 14px; font-weight: 500 }
.above img { display: block; max-width: 160px; height: 32px; object-fit: contain; object-position: left }
.mark { flex: none; fill: var(--accent) } .mark circle { fill: var(--on-accent) }
.mark path { fill: none; stroke: var(--on-accent); stroke-width: 3; stroke-linecap: round }
.below { margin-top: 16px; color: var(--text-2); font-size: 12px }
h1, h2, p, ul, ol, dl, dd, fieldset, legend { margin: 0; padding: 0; border: 0 }
h1 { font-size: 20px; line-height: 1.2; font-weight: 600; text-wrap: balance; unicode-bidi: plaintext }
h2 { font-size: 16px; line-height: 1.2; font-weight: 600 }
main > * + *, form > * + *, section > * + *, details > * + *, .if-chosen > * + * { margin-top: 12px }
form > [type=hidden] + * { margin-top: 0 }
section { margin-top: 16px; padding-top: 16px; border-top: 1px solid var(--line) }
ul, ol { padding-left: 20px; font-size: 14px }
li + li { margin-top: 4px }
ul.plain, .products { padding: 0; list-style: none }
.products b, .products span { display: block }
.products b { font-weight: 500 }
.products span { color: var(--text-2); unicode-bidi: plaintext }
.products li + li { margin-top: 8px }
.products .done { position: relative; padding-left: 24px }
.products .done::before, .state.ok::before { content: ""; width: 6px; height: 11px; border: solid var(--ok);
  border-width: 0 2px 2px 0; transform: rotate(45deg) }
.products .done::before { position: absolute; left: 4px; top: 3px }
.progress { display: flex; align-items: center; gap: 12px; font-size: 14px; color: var(--text-2) }
progress { appearance: none; flex: 1; height: 6px; border: 0; border-radius: 3px; background: var(--line); overflow: hidden }
progress::-webkit-progress-bar { background: var(--line) }
progress::-webkit-progress-value { background: var(--accent) }
progress::-moz-progress-bar { background: var(--accent) }
a { color: var(--accent) } a:hover { color: var(--accent-strong) }
.state { font-size: 14px; font-weight: 500 }
.state + h1 { margin-top: 8px }
.state::before { display: inline-block; margin-right: 8px; content: "!"; font-weight: 600 }
.off::before, .over::before { width: 9px; height: 9px; border: 2px solid; border-radius: 50%; content: "" }
.meta { color: var(--text-2); font-size: 14px }
.ok { color: var(--ok) } .error, .refused { color: var(--error) } .off, .over { color: var(--text-2) }
.notice { padding: 12px; border-radius: var(--radius-control); font-size: 14px; background: var(--attention-soft) }
.notice::before { content: "! "; color: var(--attention); font-weight: 600 }
.notice.bad { background: var(--error-soft) } .notice.bad::before { color: var(--error) }
dl { font-size: 14px } main > dl { margin-top: 16px; padding-top: 12px; border-top: 1px solid var(--line) }
dt { color: var(--text-2); font-size: 12px } dd + dt { margin-top: 12px }
dd { unicode-bidi: plaintext }
code { font: 13px/1.45 var(--mono); user-select: all }
summary { cursor: pointer; font-size: 14px; color: var(--accent) }
label, legend { display: block; font-size: 14px; font-weight: 500 }
label + input { margin-top: 4px }
.hint { color: var(--text-2); font-size: 12px; font-weight: 400 }
input:not([type=radio], [type=checkbox]) { display: block; width: 100%; height: 40px; padding: 0 12px;
  border: 1px solid var(--line-strong); border-radius: var(--radius-control); background: var(--surface-0); color: var(--text); font: inherit }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 0 8px; align-items: start; padding: 8px 0;
  font-weight: 400; cursor: pointer }
.choice + .choice { border-top: 1px solid var(--line) }
.choice input { margin: 3px 0 0; accent-color: var(--accent) }
.choice .hint { grid-column: 2 }
.scroll { max-height: 50vh; overflow: auto; padding: 12px; border: 1px solid var(--line); border-radius: var(--radius-control) }
.scroll > * + * { margin-top: 12px } .scroll legend { margin-bottom: 4px } .scroll.short { max-height: max(212px, 36vh) }
.site { display: flex; align-items: start; gap: 8px } .site[hidden] { display: none } .site + .site { border-top: 1px solid var(--line) }
.site .choice { flex: 1; min-width: 0 }
.site button { flex: none; min-height: 40px; padding: 4px 8px; border-color: transparent; color: var(--accent); font-size: 12px }
form:has([value=read_only]:checked) .if-write, form:has([name=which][value=all]:checked) .if-chosen { display: none }
.actions { display: flex; flex-wrap: wrap; gap: 8px }
.actions > * { flex: 1 1 120px; margin: 0 }
.decision { position: sticky; bottom: 0; margin: 12px -24px -24px; padding: 12px 24px; border-top: 1px solid var(--line);
  border-radius: 0 0 var(--radius-panel) var(--radius-panel); background: var(--surface-1) }
.actions.small > * { flex: none; min-height: 32px; padding: 4px 12px; font-size: 12px }
button, .button { display: inline-flex; align-items: center; justify-content: center; gap: 10px; min-height: 40px;
  padding: 8px 16px; border: 1px solid var(--line-strong); border-radius: var(--radius-control); background: transparent; color: var(--text);
  font: 500 14px/1.4 var(--sans); text-decoration: none; cursor: pointer }
button.primary, .button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
button.primary:hover, .button.primary:hover { border-color: var(--accent-strong); background: var(--accent-strong) }
.button:hover { color: inherit } .button.primary:hover { color: var(--on-accent) }
button.quiet { min-height: 32px; padding: 4px 16px; border-color: transparent; color: var(--accent) } button.quiet:hover { color: var(--accent-strong) }
button.google { padding: 9px 12px; border-color: var(--google-line); border-radius: 4px; background: var(--google);
  color: var(--google-text); font: 500 14px/20px Roboto, arial, sans-serif; letter-spacing: 0.25px }
button.google svg { flex: none; width: 20px; height: 20px }
form > button { width: 100% } .actions form { display: flex } .actions form > button { margin: 0 }
.lead { font-weight: 600; unicode-bidi: plaintext }
@media (min-width: 900px) {
  main.wide, main.wide ~ .below, .above:has(~ main.wide) { max-width: 880px }
  main.wide { display: grid; grid-template: repeat(5, max-content) 1fr / 5fr 6fr; column-gap: 40px; padding-bottom: 0 }
  main.wide > form { grid-area: 1 / 2 / 7 / 3; margin: 0; padding-bottom: 24px }
}
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`
