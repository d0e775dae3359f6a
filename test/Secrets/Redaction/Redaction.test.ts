import { assert, describe, it } from "@effect/vitest"
import { Predicate } from "effect"
import * as fc from "fast-check"
import {
  redactJson,
  redactJsonText,
  redactPreview,
  redactText,
  secretForms
} from "../../../src/Secrets/Redaction/Redaction.ts"
import { namesSecret } from "../../../src/Secrets/Redaction/SecretName.ts"
import { growth } from "../../support/Linear.ts"

describe("Names of fields", () => {
  const secret = [
    ..."authorization Proxy-Authorization token access_token refreshToken ID-TOKEN accesstoken tokens token2".split(
      " "
    ),
    ..."secret client_secret ClientSecrets password new_password passwd passphrase apiKey API_KEY apikey".split(" "),
    ..."X-Api-Key x-goog-api-key privateKey private_key secret_access_key encryption_keys cookie".split(" "),
    ..."Set-Cookie credential credentials client_assertion jwt AuthenticationCode DnsVerificationCode".split(" "),
    "code_verifier"
  ]
  it.each(secret)("%s names a secret", (name) => assert.isTrue(namesSecret(name)))

  const ordinary = [
    "",
    ..."key keys keyword monkey private_key_id author authorize_url pageToken page_token nextPageToken".split(" "),
    ..."NEXTPAGETOKEN syncToken token_type tokensPerDay secretary password_hint cookies_accepted code".split(" "),
    ..."country_code 🔑".split(" ")
  ]
  it.each(ordinary)("%s names no secret", (name) => assert.isFalse(namesSecret(name)))
})

describe("Text", () => {
  const cases: ReadonlyArray<readonly [text: string, redacted: string]> = [
    ["Bearer abc123def456", "Bearer [redacted]"],
    ["authorization: BEARER  abc123def456==, x", "authorization: BEARER  [redacted], x"],
    ["Basic dXNlcjpwYXNzd29yZA==", "Basic [redacted]"],
    ["BEARER abc123def456, bearer abc123def457", "BEARER [redacted], bearer [redacted]"],
    ["Bearer abcdefghijklmnopqrst", "Bearer [redacted]"],
    ["token ya29.a0AfH6SM-x_y.z is", "token [redacted] is"],
    ["\"1//0gdA-x_y\"", "\"[redacted]\""],
    ["oa_0123456789abcdefABCDEF", "[redacted]"],
    ["the admin token oaa_0123456789abcdefABCDEF.", "the admin token [redacted]."],
    ["the secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw/+a= of a webhook", "the secret [redacted] of a webhook"],
    [
      "Agents have oat_0123456789abcdefABCDEF and ort_0123456789abcdefABCDEF.",
      "Agents have [redacted] and [redacted]."
    ],
    [
      "a report_0123456789abcdefABCDEF of goat_0123456789abcdefABCDEF",
      "a report_0123456789abcdefABCDEF of goat_0123456789abcdefABCDEF"
    ],
    ["openaccounts_session=oas_0123456789-abcdef_ABCDEF; Path=/", "openaccounts_session=[redacted]; Path=/"],
    ["http://localhost/dashboard/link#oal_0123456789-abcdef_ABCDEF", "http://localhost/dashboard/link#[redacted]"],
    ["http://localhost/connect/oac_0123456789-abcdef_ABCDEF?x=1", "http://localhost/connect/[redacted]?x=1"],
    ["key=AIzaSyA-0123456789_abcdefghijkl", "key=[redacted]"],
    ["GOCSPX-abc_def-1", "[redacted]"],
    ["x eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl y", "x [redacted] y"],
    ["eyJhbGciOi.eyJzdWIiOi.", "[redacted]"],
    ["a -----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- b", "a [redacted] b"],
    ["a -----BEGIN PRIVATE KEY-----\nMIIE", "a [redacted]"],
    ["https://a.b/c?x=1&access_token=s3cr%2Ft&y=2#z", "https://a.b/c?x=1&access_token=[redacted]&y=2#z"],
    ["https://a.b/cb?code=4/0AX4&state=x", "https://a.b/cb?code=[redacted]&state=x"],
    ["client_secret=s3cret&grant_type=x", "client_secret=[redacted]&grant_type=x"],
    ["said {\"password\": \"x\\\"y\", \"n\": 1} then", "said {\"password\": \"[redacted]\", \"n\": 1} then"],
    ["{\"credentials\":{\"a\":[{\"b\":\"}\"}],\"c\":1},\"d\":2}", "{\"credentials\":\"[redacted]\",\"d\":2}"],
    ["\"token\": \"at the start\"", "\"token\": \"[redacted]\""],
    ["cut_token\": \"canary\"}", "cut_token\": \"[redacted]\"}"],
    ["{\"token\":12.5,\"d\":2}", "{\"token\":\"[redacted]\",\"d\":2}"],
    ["{\"token\":}", "{\"token\":\"[redacted]\"}"],
    ["{\"token\":\"cut of", "{\"token\":\"[redacted]\""],
    ["{\"\\u0074oken\":\"cut of", "{\"\\u0074oken\":\"[redacted]\""],
    ["{\"a\":\"{\\\"\\\\u0074oken\\\":\\\"cut of", "{\"a\":\"{\\\"\\\\u0074oken\\\":\\\"[redacted]\\\""],
    ["{\"token\":null,\"secret\":\"\",\"cookie\":true}", "{\"token\":null,\"secret\":\"\",\"cookie\":true}"],
    ["\"{\\\"token\\\":\\\"\\\",\\\"a\\\":1}\"", "\"{\\\"token\\\":\\\"\\\",\\\"a\\\":1}\""],
    ["refresh_token=1%2F%2F0gdA-x_y%2Dz", "refresh_token=[redacted]"],
    ["x 1%2F%2F0gdA-x_y%2Dz, y", "x [redacted], y"],
    ["1%2f%2f0gdA-x_y", "[redacted]"],
    ["token ya29%2Ea0AfH6SM is", "token [redacted] is"],
    ["%79%61%32%39.a0AfH6SM", "[redacted]"],
    ["q=%256F%2561_0123456789abcdefABCDEF", "q=[redacted]"],
    ["%31%2F%2F0gdA-x_y", "[redacted]"],
    ["ｙａ２９．ａ０ＡｆＨ６ＳＭ", "[redacted]"],
    ["AIza%53yA-0123456789_abcdefghijkl", "[redacted]"],
    ["%70assword=hunter2", "password=[redacted]"],
    ["ＡＢＣ １００％ and %41%42 stay", "ＡＢＣ １００％ and %41%42 stay"],
    ["failed: token=abc, then", "failed: token=[redacted] then"],
    ["failed: token=\"abc d\", then", "failed: token=\"[redacted] d\", then"],
    ["failed: token='abc', then", "failed: token='[redacted]', then"],
    ["postgres://oa:s3cr@t@db:5432/oa?x=a@b", "postgres://[redacted]@db:5432/oa?x=a@b"],
    ["(api_key=abc&x=1)", "(api_key=[redacted]&x=1)"],
    ["https://user:pa:ss@host/x@y", "https://[redacted]@host/x@y"],
    ["\"http:\\/\\/token@host\"", "\"http:\\/\\/[redacted]@host\""],
    ["ghp_0123456789abcdefABCDEF0123456789abcd.", "[redacted]."],
    ["github_pat_11ABCDEFG0123456789_abcdef", "[redacted]"],
    ["AWS AKIAIOSFODNN7EXAMPLE", "AWS [redacted]"],
    ["sk-proj-abcDEF123456_ghi-789", "[redacted]"],
    ["sk-0123456789abcdef0123456789abcdef", "[redacted]"],
    ["xoxb-123-abcdef, xoxp-1-abcdef and xapp-1-A0-abcdef", "[redacted], [redacted] and [redacted]"],
    ["x-api-key: canary", "x-api-key: [redacted]"],
    [
      "curl -H 'x-api-key: canary' -H \"Authorization: Token canary\"",
      "curl -H 'x-api-key: [redacted]' -H \"Authorization: Token [redacted]\""
    ],
    ["Authorization: canary\r\nAccept: */*", "Authorization: [redacted]\r\nAccept: */*"],
    ["Authorization: Token canary", "Authorization: Token [redacted]"],
    ["Authorization: Bearer short1", "Authorization: Bearer [redacted]"],
    ["curl -H 'Cookie: a=b; sid=canary' x", "curl -H 'Cookie: [redacted]' x"],
    ["Set-Cookie: sid=canary; Path=/\nX: y", "Set-Cookie: [redacted]\nX: y"],
    ["failed with token: canary, then", "failed with token: [redacted], then"],
    ["token: canary1 is wrong", "token: [redacted] is wrong"],
    ["{ password: 'canary', user: 'x' }", "{ password: '[redacted]', user: 'x' }"],
    ["client_secret: canary\nclient_id: x", "client_secret: [redacted]\nclient_id: x"],
    ["x%3Ftoken%3Acanary", "x%3Ftoken%3A[redacted]"],
    ["?next=%2Fx%3Faccess_token%3Dcan%2Fary%26y%3D2", "?next=%2Fx%3Faccess_token%3D[redacted]%26y%3D2"],
    ["%7B%22token%22%3A%22canary%22%2C%22a%22%3A1%7D", "%7B%22token%22%3A%22[redacted]%22%2C%22a%22%3A1%7D"],
    ["token%253Dcanary", "token%253D[redacted]"],
    [
      "?next=https%3A%2F%2Fa.b%2Fc%3Faccess_token%3Dcanary%26x%3D1",
      "?next=https%3A%2F%2Fa.b%2Fc%3Faccess_token%3D[redacted]%26x%3D1"
    ],
    ["?next=https%3A%2F%2Fa.b%2Fc%3Fcode%3D4%2F0AX4", "?next=https%3A%2F%2Fa.b%2Fc%3Fcode%3D[redacted]"],
    ["?next=https%3A%2F%2Fuser%3Acanary%40a.b%2F", "?next=https%3A%2F%2F[redacted]%40a.b%2F"],
    ["authorization%253A%2520Token%2520canary1", "authorization%253A%2520Token%2520[redacted]"],
    ["Cookie%3A%20a%3Db%3B%20sid%3Dcanary", "Cookie%3A%20[redacted]"],
    ["1%252F%252F0gdA-x_y", "[redacted]"],
    ["a/1%2F%2F0gdA-x_y", "a/[redacted]"],
    ["a/1%252F%252F0gdA-x_y%2526b%253D1", "a/[redacted]%2526b%253D1"],
    ["https://a.b/#access_token=canary&x=1", "https://a.b/#access_token=[redacted]&x=1"],
    ["refresh_token%3D1//0gABCdef-x_y%26x%3D1", "refresh_token%3D[redacted]%26x%3D1"],
    ["a%20b/token%3Dcan/ary", "a%20b/token%3D[redacted]"],
    ["?next=/cb%3Fcode%3D4/0AX4", "?next=/cb%3Fcode%3D[redacted]"],
    ["https%3A//user%3Acanary%40a.b/", "https%3A//[redacted]%40a.b/"],
    ["%7B%22token%22%3A%20%22can/ary%22%7D", "%7B%22token%22%3A%20%22[redacted]%22%7D"],
    ["%7B%22token%22%3A1%2C%22a%22%3A%22%2c%22%7D", "%7B%22token%22%3A%22[redacted]%22%2C%22a%22%3A%22%2c%22%7D"],
    ["token%3Dabc+0123456789/abcdef", "token%3D[redacted]"],
    ["hello+world%20(1)/%25C3%25A9%26token%3Dcanary%26%7e", "hello+world%20(1)/%25C3%25A9%26token%3D[redacted]%26%7e"],
    ["discount%3D100%25%26token%3Dcanary", "discount%3D100%25%26token%3D[redacted]"],
    ["token%3Da%26token%3db%26token%3Dc", "token%3D[redacted]%26token%3d[redacted]%26token%3D[redacted]"],
    ["Bearer%20abc123def456", "Bearer%20[redacted]"],
    ["%3Aoat_0123456789abcdefABCDEF", "%3A[redacted]"],
    ["\"\\noat_0123456789abcdefABCDEF", "\"\\n[redacted]"],
    ["{\"a\":\"\\u0042earer abc123def456", "{\"a\":\"Bearer [redacted]"],
    ["{\"a\":\"oa\\u005f0123456789abcdefABCDEF", "{\"a\":\"[redacted]"],
    ["{\"a\":\"ya29\\u002Ecanary", "{\"a\":\"[redacted]"],
    ["{\"a\":\"token\\u003dcanary", "{\"a\":\"token=[redacted]"],
    ["{\"a\":\"{\\\"b\\\":\\\"ya29\\\\u002ecanary", "{\"a\":\"{\\\"b\\\":\\\"[redacted]"]
  ]
  it.each(cases)("%s", (text, redacted) => assert.strictEqual(redactText(text), redacted))

  const kept = [
    String.raw`token economics|how to reset a password|bearer bonds|Bearer of bad news|basic authentication explained`,
    String.raw`basic responsibilities|https://a.b//c//d|a/1//2|1//2|oa_short|eyJ`,
    String.raw`https://a.b/?page=2&keyword=secret&country_code=de|-----BEGIN|"token" economics|{"pageToken":"CAUQAA"}`,
    String.raw`the country code=49|1%2F%2F2|https://host/a@b?c=d@e|mail user@host|task-force-of-the-year-2026-in-words`,
    String.raw`sk-SK|sk-a-class-name-in-a-style-sheet|ghp_short|AKIA|Password: how to reset it|token:`,
    String.raw`pageToken: CAUQAA|pageToken%3DCAUQAA|token%3A%20economics%20of%20games`,
    String.raw`basic%20authentication%20explained|basic+authentication+explained+in+short|Cookie: the best recipe`,
    String.raw`?q=what+is+a+token%3A+guide+for+beginners|?q=password%3A+how+to+reset+it`,
    String.raw`?q=authorization%3A+who+may+do+what|?q=token%3D+economics`,
    String.raw`authorization: who may do what|a token\u0020economics|the xoxo-generation`
  ].flatMap((texts) => texts.split("|"))
  it.each(kept)("%s is kept", (text) => assert.strictEqual(redactText(text), text))
})

describe("JSON", () => {
  it("loses the values of secret names, except empty ones and flags", () => {
    assert.deepStrictEqual(
      redactJson({ token: "x", secret: 1, cookie: ["x"], credentials: { a: 1 }, a: [{ api_key: "x" }] }),
      {
        token: "[redacted]",
        secret: "[redacted]",
        cookie: "[redacted]",
        credentials: "[redacted]",
        a: [{ api_key: "[redacted]" }]
      }
    )
    const kept = { token: null, secret: "", password: false, cookie: true, x: [1, null, "y", {}] }
    assert.deepStrictEqual(redactJson(kept), kept)
  })

  it("loses secrets in names and behind escapes", () => {
    assert.deepStrictEqual(redactJson({ "ya29.abcdef": 1 }), { "[redacted]": 1 })
    assert.strictEqual(redactJsonText("{\"\\u0074oken\":\"x\"}"), "{\"\\u0074oken\":\"[redacted]\"}")
    const longName = `${"x".repeat(300)}token`
    assert.deepStrictEqual(JSON.parse(redactJsonText(JSON.stringify({ [longName]: "x" }))), {
      [longName]: "[redacted]"
    })
    assert.strictEqual(
      redactJsonText("{\"\\u0015{\\\"token\\\":\\\"x\\\",\\\"api_key\":\"y\"}"),
      "{\"\\u0015{\\\"token\\\":\\\"[redacted]\\\",\\\"api_key\":\"[redacted]\"}"
    )
    assert.strictEqual(redactJsonText("[\"1\\/\\/0gdA-x_y\"]"), "[\"[redacted]\"]")
    assert.strictEqual(
      redactJsonText("{\"__proto__\":{\"token\":\"x\"},\"key\":1}"),
      "{\"__proto__\":{\"token\":\"[redacted]\"},\"key\":1}"
    )
    assert.strictEqual(
      redactJsonText("{\"token\":\"x\",\"token\":\"y\"}"),
      "{\"token\":\"[redacted]\",\"token\":\"[redacted]\"}"
    )
  })

  it("with secrets keeps the text around them", () => {
    const [before, after] = [
      "{ \"a\": 1.0, \"b\": 12345678901234567890, \"a\": [\"\\u0061\"], \"token\" : ",
      ", \"c\":1e2 }"
    ]
    for (const secret of ["\"x\"", "12", "[1, {\"a\": \"]\"}]", "{\"b\":\"}\"}", "\"\\\\\""]) {
      assert.strictEqual(redactJsonText(`${before}${secret}${after}`), `${before}"[redacted]"${after}`)
    }
    for (const nothing of ["null", "true", "false", "\"\""]) {
      assert.strictEqual(redactJsonText(`${before}${nothing}${after}`), `${before}${nothing}${after}`)
    }
    assert.strictEqual(redactJsonText("[9007199254740993,\"ya29.abc\"]"), "[9007199254740993,\"[redacted]\"]")
  })

  const nest = (value: unknown, levels: number): string =>
    levels === 0 ? JSON.stringify(value) : JSON.stringify({ n: 9, in: nest(value, levels - 1) })

  it.each([1, 2, 3, 4, 6])("in strings, %i deep, loses its secrets", (levels) => {
    const secret = {
      token: "can\"a\\ry",
      api_key: ["canary", 1],
      a: { password: 12.5 },
      b: "ya29.canary",
      c: "1//canary-x"
    }
    const text = nest({ ...secret, keep: "kept" }, levels)
    let value: unknown = JSON.parse(redactJsonText(text))
    for (let level = 0; level < levels; level++) value = JSON.parse(String(Object(value).in))
    assert.deepStrictEqual(value, {
      token: "[redacted]",
      api_key: "[redacted]",
      a: { password: "[redacted]" },
      b: "[redacted]",
      c: "[redacted]",
      keep: "kept"
    })
    assert.notInclude(redactPreview(text.slice(0, -3), 1000), "canary")
    assert.notInclude(redactText(`said ${text} then`), "canary")
  })

  it("keeps the cells of a spreadsheet's column with a heading that names a secret", () => {
    const rows = [
      [["Name", "API key", "Tokens used"], ["a", "rotate in May", 12]],
      { rows: [{ "API key": "rotate in May", "Access token": 12, "API keys": [1], Secret: "" }] },
      { values: [["token", "password"], ["x", "y"]] }
    ]
    assert.deepStrictEqual(redactJson(rows), rows)
    assert.strictEqual(redactJsonText(JSON.stringify(rows)), JSON.stringify(rows))
    assert.strictEqual(redactText(`a ${JSON.stringify(rows)}`), `a ${JSON.stringify(rows)}`)
  })

  it("loses the cells below such a heading that look like secrets", () => {
    const rows = [{ "API key": "f81d4fae7dec11d0a765", "Access token": "ya29.abcdef", "api_key": "rotate in May" }]
    const kept = [{ "API key": "[redacted]", "Access token": "[redacted]", "api_key": "[redacted]" }]
    assert.deepStrictEqual(redactJson(rows), kept)
    assert.strictEqual(redactJsonText(JSON.stringify(rows)), JSON.stringify(kept))
  })

  it("stays JSON, with the same redaction as its value", () => {
    // Without a name `\`: after an object that has it, JSON.parse of V8 13.6 reads the name `"` of the next one as `\`.
    const name = fc.constantFrom("a", "token", "API key", "\"", "b\\\"token", "{", "pageToken")
    const text = fc.oneof(name, fc.constantFrom("ya29.abc", "x\\", "\"token\":1", "]}", "token=abc x", "\u2028"))
    const json = fc.letrec<{ readonly value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        text,
        fc.constantFrom(1, null, true),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(name, tie("value"), { maxKeys: 4 }),
        tie("value").map((value) => JSON.stringify(value))
      )
    })).value
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), (value, space) => {
        const redacted: unknown = JSON.parse(redactJsonText(JSON.stringify(value, undefined, space)))
        assert.deepStrictEqual(shapeOf(redacted), shapeOf(redactJson(value)))
      }),
      { numRuns: 1000 }
    )
  })

  it("without secrets keeps its text", () => {
    const text = "{ \"a\": 1.0, \"b\": 12345678901234567890, \"a\": [ ] }"
    assert.strictEqual(redactJsonText(text), text)
    const plain = fc.json().filter((text) => !/[A-Za-z]{3}|[/\\]/.test(text))
    fc.assert(fc.property(plain, (text) => assert.deepStrictEqual(JSON.parse(redactJsonText(text)), JSON.parse(text))))
  })

  it("never contains a secret, at any place and preview length", () => {
    const canary = "ya29.canary-0123456789"
    const around = fc.string({ unit: "grapheme", maxLength: 30 })
    fc.assert(fc.property(fc.jsonValue(), around, fc.nat(200), (value, name, length) => {
      const text = JSON.stringify({ [name]: value, x: { token: canary, y: [`a ${canary} b`] }, z: value })
      assert.notInclude(redactJsonText(text), "canary")
      const preview = redactPreview(text, length)
      assert.notInclude(preview, "canary")
      assert.isAtMost(preview.length, length)
    }))
  })
})

describe("A preview", () => {
  it("is redacted before it is cut", () => {
    const text = `{"a":"${"x".repeat(90)}","private_key":"${"z".repeat(2000)}"}`
    for (const length of [50, 98, 110, 115, 120, 130, 5000]) {
      assert.notInclude(redactPreview(text, length), "z", `${length}`)
    }
  })
})

const shapeOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(shapeOf)
    : Predicate.isObject(value)
    ? Object.entries(value).map(([name, field]) => [name, shapeOf(field)])
    : value === "[redacted]" || typeof value !== "string"
    ? value
    : "text"

const growthOf = (part: string, run: (text: string) => void) =>
  growth(16_000, (size) => part.repeat(size / part.length), run)

describe("Each form of a secret is looked for in linear time", () => {
  const pieces: Readonly<Record<string, ReadonlyArray<string>>> = {
    "BEGIN": ["-----BEGIN ", "-----BEGIN A-----", "-----BEGIN A", "-----END A", "-"],
    "Bearer": ["Bearer ", "Basic\t", "Bearer  ", "a", "bearer a."],
    "eyJ": ["eyJ", "eyJaaaaa.", "eyJaaaaa-", ".eyJaaaaaa"],
    "ya29": ["ya29.", "ya29", "."],
    "%2f": ["1//", "1", "%2F", "1%2F", "1\\", "\\/", "1%2F%2Fa"],
    "whsec_": ["whsec_", "whsec_a", " whsec_\\\\"],
    "o[ar]t_": ["oat_", "ort_0", " oat_a"],
    "oa[cls]_": ["oas_", "oal_0", " oac_a-"],
    "oaa?_": ["oa_", "oa_0", " oa_a", "oaa_", " oaa_a"],
    "AIza": ["AIza", " AIza-"],
    "GOCSPX": ["GOCSPX-", " GOCSPX-a"],
    "github": ["ghp_", " ghp_a", "github_pat_", "gh"],
    "AKIA": ["AKIA", " AKIA0", "ASIA"],
    "cookie2": ["cookie:", "cookie: a", "cookie: a=", "cookie: a."],
    "authorization:": ["authorization:", "authorization: a ", "authorization: a"],
    "xapp": ["xoxb-", " xapp-a", "xox", "-xoxb-_"],
    "sk-": ["sk-", " sk-a", "-sk-_", " sk-", "ask-"],
    ":\\": ["://", ":\\/\\/", "://a", ":\\", "a@", ":/"]
  }
  it.each(secretForms.map((form) => [form.source, form] as const))("%s", (source, form) => {
    const own = Object.entries(pieces).find(([name]) => source.includes(name))?.[1]
    assert.isDefined(own)
    for (const piece of own ?? []) {
      assert.isBelow(growthOf(piece, (text) => void text.replace(form, "")), 12, piece)
      assert.isBelow(growthOf(piece, (text) => void `x${text} `.replace(form, "")), 12, piece)
    }
  })
})

describe("Redaction takes linear time", () => {
  const hostile = [
    String.raw`eyJ-|\"|A|Bearer |-----BEGIN A-----|"a":{|"token":|"token":[|?code=|a=|1//|[{|\|\"token\":\"`,
    String.raw`\"token\":{"a":|"API key":|"API key":"a|"API key":[\"API key\":\"|":|"token":null,|token=|token:`,
    String.raw`token: |token%3A|token%3A%41|\u0041|Cookie: | a|"      |%25|code%25|1%25|%40`,
    String.raw`%22token%22%3A|%22token%22%3A1%2C|[redacted]%|[redacted]%26token%3Da%26|+token%3A|+1%|/1%2F`
  ].flatMap((texts) => texts.split("|"))
  it.each(hostile)("for %j repeated", (part) => {
    assert.isBelow(growthOf(part, (text) => void redactText(`"${text} token`)), 12, part)
    assert.isBelow(growthOf(part, (text) => void redactJsonText(`["token",${JSON.stringify(`"${text}`)}]`)), 12, part)
    assert.isBelow(growthOf(part, (text) => void namesSecret(`"${text}`)), 12, part)
  })
})
