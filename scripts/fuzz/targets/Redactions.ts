import { Redacted } from "effect"
import { deepStrictEqual, strictEqual } from "node:assert"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"
import { redactEcho } from "../../../src/Secrets/Redaction/KnownSecrets.ts"
import { redactJsonText, redactPreview, redactText } from "../../../src/Secrets/Redaction/Redaction.ts"
import { expect, isJson, parseJson, partsOf, type Target } from "../Target.ts"

const canary = "c4naryC4nary0123456789"

/** Secrets as they occur: headers first. */
const forms: ReadonlyArray<string> = [
  `Authorization: Bearer ${canary}`,
  `authorization: Token ${canary}`,
  `Proxy-Authorization: Basic ${canary}==`,
  `Cookie: theme=dark; sid=${canary}`,
  `Set-Cookie: sid=${canary}; Path=/`,
  `X-Api-Key: ${canary}`,
  `x-goog-api-key: ${canary}`,
  `Bearer ${canary}`,
  `https://user:${canary}@host/`,
  `https://host/?access_token=${canary}&x=1`,
  `https://host/cb?code=${canary}`,
  `client_secret=${canary}`,
  `{"token":"${canary}"}`,
  `{"a":{"password":["${canary}",{"b":"${canary}"}]}}`,
  `ya29.${canary}`,
  `1//${canary}`,
  `oa_${canary}`,
  `oat_${canary}`,
  `oas_${canary}`,
  `whsec_${canary}`,
  `AIza${canary}`,
  `GOCSPX-${canary}`,
  `ghp_${canary}`,
  `sk-${canary}`,
  `xoxb-${canary}`,
  `eyJ${canary}.${canary}.${canary}`,
  `-----BEGIN PRIVATE KEY-----\n${canary}\n-----END PRIVATE KEY-----`
]

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

const escapeSome = (text: string) =>
  text.replace(/[a-z]/g, (letter) => letter < "n" ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter)

const percentLetters = (text: string) =>
  text.replace(/[\w.]/g, (letter) => letter < "c" ? `%${letter.charCodeAt(0).toString(16)}` : letter)

const wide = (text: string) => text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))

const encodings: ReadonlyArray<(form: string) => string> = [
  (form) => form,
  encodeURIComponent,
  (form) => encodeURIComponent(form).replaceAll("%2F", "/"),
  (form) => encodeURIComponent(encodeURIComponent(form)),
  inJson,
  (form) => inJson(inJson(form)),
  (form) => escapeSome(inJson(form)),
  (form) => form.startsWith("{") ? form : percentLetters(form),
  (form) => /^[a-z]/.test(form) ? wide(form) : form
]

/** Every spelling of the canary in the text is plain after this. */
const decoded = (text: string): string => {
  let rest = text
  for (let before = ""; before !== rest;) {
    before = rest
    rest = rest.replace(/\\+u00([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/%(?:25)*([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  }
  return rest.replace(/[\uFF01-\uFF5E]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
}

const leaks = (text: string): boolean => decoded(text).includes("C4nary")

/** Two characters choose a secret and its encoding, then a text before and one after it. */
export const redaction: Target = {
  seeds: forms.flatMap((_, index) => [
    `${String.fromCharCode(48 + index)}${index % encodings.length}a text before\0and after`,
    `${String.fromCharCode(48 + index)}${(index + 3) % encodings.length}{"a":"x\\n\0y","token":"z"}`
  ]).concat(["00\"Cookie: a=b\", Set-Cookie: c\0\\u0041uthorization: x%3A%20y", "11password: how to reset it\0basic"]),
  run: (input) => {
    const text = input.toString()
    const [before = "", after = ""] = partsOf(input.subarray(2))
    // The line after a name would be its value.
    if (/:(?:\s|\\+[nrt])*$/.test(before)) return
    const form = forms[text.charCodeAt(0) % forms.length] ?? ""
    const encode = encodings[text.charCodeAt(1) % encodings.length] ?? String
    const planted = `${before}\n${encode(form)}\n${after}`
    const redacted = redactText(planted)
    expect(!leaks(redacted), `in a text: ${JSON.stringify(planted)}`)
    expect(!leaks(redactPreview(planted, before.length + 20)), `in a preview: ${JSON.stringify(planted)}`)
    // With the lines of a key, a name is the heading of a column. Names of fields are not percent-encoded.
    const isOdd = form.startsWith("---") || text.includes("%")
    if (!isOdd) strictEqual(redactText(redacted), redacted, `again, of ${JSON.stringify(planted)}`)
    const body = JSON.stringify({ [before]: [planted, after], b: { [after]: encode(form) } })
    const clean = redactJsonText(body)
    expect(isJson(clean), `no JSON: ${body}`)
    expect(!leaks(clean), `in JSON: ${body}`)
    if (!isOdd) strictEqual(redactJsonText(clean), clean, `again, of ${body}`)
    if (!isJson(before)) return
    const kept = redactJsonText(before)
    expect(isJson(kept), `no JSON: ${before}`)
    strictEqual(redactJsonText(kept), kept, `again, of ${before}`)
  }
}

/** The names and texts in JSON. A number that equals a secret is a number. */
const textsIn = (json: unknown): ReadonlyArray<string> => {
  if (typeof json === "string") return json === "[redacted]" ? [] : [json]
  if (typeof json !== "object" || json === null) return []
  return Object.entries(json).flatMap(([name, value]) => [name, ...textsIn(value)])
}

/** A secret, and JSON after a NUL in which it stands: the rest stays as it is. */
export const echoes: Target = {
  seeds: [
    "1//a+b\"c0123456789\0{\"a\":[1.0,\"x\"]}",
    "ab+cd/\\0123456789==\0[\"y\",12345678901234567890]",
    "12345678\0{\"n\":12345678}",
    "a\\u0041bcdefgh\0\"\\u0061\""
  ],
  run: (input) => {
    const [value = "", json = ""] = partsOf(input)
    if (value.length < 8 || "[redacted]".includes(value) || !/[\w.-]{4}/.test(value)) return
    const rest: unknown = JSON.parse(JSON.stringify(parseJson(json) ?? null))
    const places = [value, JSON.stringify({ a: `Bearer ${value}` }), `?k=${encodeURIComponent(value)}`, `x ${value} y`]
    const secret = Redacted.make(value)
    const body = JsonText.stringify({ places, [value]: 1, rest })
    const { text } = redactEcho(body, secret)
    expect(isJson(text), `no JSON: ${text}`)
    const clean: unknown = JSON.parse(text)
    expect(!textsIn(clean).some((each) => each.includes(value)), `left in ${text}`)
    if (!json.includes(value)) deepStrictEqual(Object(clean).rest, rest)
    strictEqual(redactEcho(JsonText.trusted(text), secret).text, text, "again")
  }
}
