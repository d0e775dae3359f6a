import { HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { escapeHtml } from "../Domain/EscapeHtml.ts"

/** Light and dark, and one column that fits a phone. Text has a contrast of at least 4.5:1. */
const style = `
:root { color-scheme: light dark;
  --page: oklch(0.975 0.004 250); --panel: oklch(0.995 0.002 250); --line: oklch(0.89 0.006 250);
  --text: oklch(0.24 0.012 250); --meta: oklch(0.48 0.012 250);
  --ok: oklch(0.48 0.11 150); --error: oklch(0.5 0.16 28); --off: oklch(0.48 0.012 250) }
@media (prefers-color-scheme: dark) { :root {
  --page: oklch(0.19 0.008 250); --panel: oklch(0.235 0.01 250); --line: oklch(0.34 0.012 250);
  --text: oklch(0.93 0.006 250); --meta: oklch(0.71 0.01 250);
  --ok: oklch(0.78 0.13 150); --error: oklch(0.76 0.13 28); --off: oklch(0.71 0.01 250) } }
* { box-sizing: border-box }
body { margin: 0; padding: 12vh 16px 32px; background: var(--page); color: var(--text);
  font: 16px/1.45 system-ui, sans-serif }
main { max-width: 420px; margin: 0 auto; padding: 24px; background: var(--panel);
  border: 1px solid var(--line); border-radius: 10px }
h1 { margin: 0 0 12px; font-size: 20px; line-height: 1.2; font-weight: 600; text-wrap: balance }
p { margin: 0 0 12px }
.state { margin: 0 0 8px; font-size: 14px; font-weight: 500 }
.ok { color: var(--ok) } .error, .refused { color: var(--error) } .off, .over { color: var(--off) }
dl { margin: 16px 0 0; padding-top: 4px; border-top: 1px solid var(--line); font-size: 14px }
dt { margin-top: 12px; color: var(--meta); font-size: 12px }
dd { margin: 0; overflow-wrap: anywhere }
code { font: 13px/1.45 ui-monospace, monospace; user-select: all }
`

const headers = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${
    hash("sha256", style, "base64")
  }'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

const states = {
  ok: "✓ Connected",
  off: "○ Not connected",
  over: "○ Nothing changed",
  error: "! Not connected",
  refused: "! Not signed in"
} as const

export interface HtmlPage {
  readonly status: number
  readonly state: keyof typeof states
  readonly title: string
  readonly paragraphs: ReadonlyArray<string>
  readonly facts: ReadonlyArray<readonly [name: string, value: string, kind?: "code"]>
}

export const htmlPage = ({ facts, paragraphs, state, status, title }: HtmlPage) => {
  const rows = facts.map(([name, value, kind]) => {
    const text = escapeHtml(value)
    return `<dt>${escapeHtml(name)}</dt><dd>${kind === "code" ? `<code>${text}</code>` : text}</dd>`
  })
  return HttpServerResponse.text(
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
<main>
<p class="state ${state}">${states[state]}</p>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join("\n")}
<dl>
${rows.join("\n")}
</dl>
</main>
</html>
`,
    { status, contentType: "text/html; charset=utf-8", headers }
  )
}
