import { Exit, Result, Schema } from "effect"
import { deepStrictEqual, strictEqual } from "node:assert"
import { isInsideSite, siteName, urlPrefixName } from "../../../src/Domain/Access/Resource.ts"
import { PageRequest } from "../../../src/Domain/Page.ts"
import { redirectTarget } from "../../../src/Features/AgentAccess/Consent/RedirectTarget.ts"
import { parsePublicUrl } from "../../../src/Outbound/PublicAddress.ts"
import { DocumentReference, SpreadsheetReference } from "../../../src/Providers/Google/FileReference.ts"
import { endpointUrl, upstreamUrl } from "../../../src/Providers/UpstreamUrl.ts"
import { expect, type Target } from "../Target.ts"

const decodeCursor = Schema.decodeUnknownExit(PageRequest.cursor)

/** What a link refers to is written as a link to the same. */
const reference = <Ref>(schema: Schema.Codec<Ref, string>) => {
  const decode = Schema.decodeUnknownExit(schema)
  const encode = Schema.encodeSync(schema)
  return (text: string): void => {
    const decoded = decode(text)
    if (!Exit.isSuccess(decoded)) return
    const again = encode(decoded.value)
    strictEqual(new URL(again).hostname, "docs.google.com", again)
    deepStrictEqual(decode(again), decoded, again)
  }
}

const references = [reference(DocumentReference), reference(SpreadsheetReference)]

const base = upstreamUrl("https://api.example.com/v1")

/** Links to files, names of sites, path values, cursors and URLs that people enter. */
export const addresses: Target = {
  seeds: [
    "https://docs.google.com/document/u/0/d/1aB-c_D/edit?tab=t.0#heading=h.1",
    "https://docs.google.com/a/acme.com/spreadsheets/d/1aB-c_D/edit#gid=7",
    "https://drive.google.com/open?x=1&id=1aB-c_D&y",
    "sc-domain:ACME.com",
    "https://äcme.example:8443/a%2Fb/../c?q#f",
    "https://user@[::1]:80/",
    "http://2130706433/",
    "https://0x7f.1/\\evil",
    "cursor://x/y",
    "call_01hzzzzzzzzzzzzzzzzzzzzzzz",
    "properties/123"
  ],
  run: (input) => {
    const text = input.toString()
    // Published copies have `e` in place of the id.
    if (text.trim() !== "e") { for (const check of references) check(text) }
    for (const name of [siteName, urlPrefixName]) {
      const site = name(text)
      if (site === undefined) continue
      strictEqual(name(site), site, "the name of a name")
      if (site.startsWith("sc-domain:")) {
        const host = site.slice("sc-domain:".length)
        expect(isInsideSite(site, `https://${host}/a`) && !isInsideSite(site, `https://x${host}/a`), site)
      } else expect(isInsideSite(site, site) && !isInsideSite(site, "https://elsewhere.example/"), site)
    }
    const isPublic = parsePublicUrl(text)
    if (Result.isSuccess(isPublic)) {
      const { href, protocol } = isPublic.success
      strictEqual(protocol, "https:")
      expect(Result.isSuccess(parsePublicUrl(href)), `public, and not when written: ${href}`)
    }
    if (URL.canParse(text)) {
      expect(!/[\s;,'"]/.test(redirectTarget(text).policySource), redirectTarget(text).policySource)
    }
    try {
      const { host, origin, path } = endpointUrl(base, "/a/{id}/b", { path: { id: text }, query: { [text]: text } })
      const url = new URL(origin + path)
      deepStrictEqual([url.origin, url.host], [base.origin, host])
      strictEqual(url.pathname.split("/").length, 5, path)
      strictEqual(decodeURIComponent(url.pathname.split("/")[3] ?? ""), text)
      deepStrictEqual([...url.searchParams], [[text, text]])
    } catch (error) {
      expect(error instanceof Error && error.message.startsWith("A path value would leave"), String(error))
    }
    if (Exit.isSuccess(decodeCursor(text))) strictEqual(text, text.trim().toLowerCase())
  }
}
