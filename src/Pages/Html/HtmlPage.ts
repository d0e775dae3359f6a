import { HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { type Fact, facts as factsOf, type Html, html, paragraphs as paragraphsOf } from "./HtmlParts.ts"
import { style } from "./HtmlStyle.ts"

const sourceHash = (source: string) => `'sha256-${hash("sha256", source, "base64")}'`

const styleHash = sourceHash(style)

const states = {
  ok: "Connected",
  off: "Not connected",
  over: "Nothing changed",
  error: "Not connected",
  refused: "Not signed in"
} as const

export interface HtmlPage {
  readonly status: number
  /** Forms stand beside the text where there is room. */
  readonly wide?: boolean
  /** The value of `Retry-After`, in seconds. */
  readonly retryAfter?: string | undefined
  readonly title: string
  readonly state?: keyof typeof states
  readonly paragraphs?: ReadonlyArray<string>
  readonly parts?: ReadonlyArray<Html>
  readonly facts?: ReadonlyArray<Fact>
  readonly above?: Html | undefined
  readonly below?: Html | undefined
  /** Other origins that forms lead to, also by a redirect, whose target Chromium checks too. */
  readonly formTargets?: ReadonlyArray<string>
  /** Constant text. Variable data goes into attributes. */
  readonly script?: string
}

const policyOf = ({ formTargets = [], script }: HtmlPage, markup: string): string =>
  [
    "default-src 'none'",
    `style-src ${styleHash}`,
    "font-src 'self'",
    ...(script === undefined ? [] : [`script-src ${sourceHash(script)}`]),
    ...(markup.includes("<img ") ? ["img-src 'self'"] : []),
    "base-uri 'none'",
    `form-action ${markup.includes("<form ") ? ["'self'", ...new Set(formTargets)].join(" ") : "'none'"}`,
    "frame-ancestors 'none'"
  ].join("; ")

export const htmlPage = (page: HtmlPage): HttpServerResponse.HttpServerResponse => {
  const {
    above,
    below,
    facts = [],
    paragraphs = [],
    parts = [],
    retryAfter,
    script,
    state,
    status,
    title,
    wide = false
  } = page
  const body = html`${above === undefined ? undefined : html`<header class="above">${above}</header>`}
<main${wide ? html` class="wide"` : undefined}>
${state === undefined ? undefined : html`<p class="state ${state}">${states[state]}</p>`}
<h1>${title}</h1>
${paragraphsOf(paragraphs)}
${parts}
${facts.length === 0 ? undefined : factsOf(facts)}
</main>
${below === undefined ? undefined : html`<footer class="below">${below}</footer>`}`
  const head = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>`
  return HttpServerResponse.text(
    `${head.markup}
<style>${style}</style>
${body.markup}
${script === undefined ? "" : `<script>${script}</script>\n`}</html>
`,
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        "content-security-policy": policyOf(page, body.markup),
        ...(retryAfter === undefined ? {} : { "retry-after": retryAfter })
      }
    }
  )
}
