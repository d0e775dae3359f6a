import { HttpServerResponse } from "effect/http"
import { escapeHtml } from "../../Domain/Text/EscapeHtml.ts"
import type { OAuthError } from "../Identity/Identity.ts"

const page = (status: number, body: string) =>
  HttpServerResponse.text(
    `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox sign-in</title>
<style>
:root { color-scheme: light dark }
body { overflow-wrap: anywhere; font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem }
a { display: inline-block; margin-right: 1rem }
label { display: block }
button { margin-top: 0.5rem }
</style>
<h1>Sandbox sign-in</h1>
${body}
`,
    {
      status,
      contentType: "text/html; charset=UTF-8",
      headers: { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'" }
    }
  )

export const consentPage = (
  { account, redirectUri, scope }: { readonly account: string; readonly redirectUri: string; readonly scope: string },
  query: URLSearchParams
) => {
  const link = (consent: "allow" | "deny") => {
    const target = new URLSearchParams(query)
    target.set("consent", consent)
    return escapeHtml(`?${target.toString()}`)
  }
  const wanted = scope.split(" ")
  const partial = wanted.length === 1 ? "" : `
<details>
<summary>Allow only a part</summary>
<form>
${
    [...query].filter(([name]) => name !== "consent").map(([name, value]) =>
      `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`
    ).join("\n")
  }
${
    wanted.map((name) =>
      `<label><input type="checkbox" name="granted" value="${escapeHtml(name)}" checked> ${escapeHtml(name)}</label>`
    ).join("\n")
  }
<button name="consent" value="part">Allow what is ticked</button>
</form>
</details>`
  return page(
    200,
    `<p>This is the built-in provider sandbox. No real account is involved.</p>
<p>The application at <b>${escapeHtml(new URL(redirectUri).host)}</b> asks to use the account <b>${
      escapeHtml(account)
    }</b> for:</p>
<ul>${wanted.map((name) => `<li><code>${escapeHtml(name)}</code></li>`).join("")}</ul>
<p><a href="${link("allow")}">Allow</a> <a href="${link("deny")}">Cancel</a></p>${partial}`
  )
}

export const errorPage = ({ error, error_description, status }: OAuthError) =>
  page(status, `<p>Error ${status}: <code>${escapeHtml(error)}</code></p>\n<p>${escapeHtml(error_description)}</p>`)
