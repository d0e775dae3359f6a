import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  fileName,
  isInsideSite,
  propertyName,
  type ResourceName,
  siteName,
  urlPrefixName
} from "../../src/Domain/Access/Resource.ts"
import { append, maxOf, minOf } from "../../src/Domain/Lists.ts"
import { nameNearest, nearest, nearestParts } from "../../src/Domain/Text/Nearest.ts"
import { codePoint } from "../support/Hostile.ts"

const spellings: ReadonlyArray<readonly [read: ResourceName, canonical: string, ...others: ReadonlyArray<string>]> = [
  [
    urlPrefixName,
    "https://acme.com/",
    "https://acme.com",
    "HTTPS://ACME.com/",
    "https://acme.com:443/",
    "https://acme.com:443"
  ],
  [urlPrefixName, "http://acme.com/", "http://acme.com:80"],
  [urlPrefixName, "http://acme.com:443/"],
  [urlPrefixName, "https://acme.com:8443/"],
  [urlPrefixName, "https://acme.com/Blog/", "https://ACME.com/Blog/"],
  [urlPrefixName, "https://acme.com/blog"],
  [urlPrefixName, "https://xn--bcher-kva.example/", "https://bücher.example", "https://BÜCHER.example/"],
  [urlPrefixName, "https://acme.com/b%C3%BCcher/", "https://acme.com/bücher/"],
  [urlPrefixName, "https://acme.com/%61/"],
  [siteName, "sc-domain:acme.com", "SC-Domain:ACME.com"],
  [siteName, "sc-domain:xn--bcher-kva.example", "sc-domain:bücher.example"],
  [siteName, "https://acme.com/", "https://acme.com"],
  [propertyName, "properties/123", "123"],
  [fileName, "1aB-c_D"]
]

const words = (text: string): ReadonlyArray<string> => text.split(" ")

const unreadable: ReadonlyArray<readonly [read: ResourceName, ...texts: ReadonlyArray<string>]> = [
  [
    urlPrefixName,
    "",
    ...words("acme.com //acme.com/ ftp://acme.com/ https:// https:///acme.com/ https:acme.com/ sc-domain:acme.com"),
    ...words("https://user@acme.com/ https://acme.com@other.com/ https://other.com\\@acme.com/ https:\\\\acme.com\\"),
    ...words("https://acme.com/?a https://acme.com/#a https://acme%2ecom/ https://acme.com/a/../"),
    ...words("https://acme.com/a/%2E./ https://acme.com/a/..%2fb https://acme.com:0x1bb/ https://acme.com:99999/"),
    ...words("https://ａcme.com/ https://acme。com/ https://\u212aacme.com/ https://0x7f.1/ https://acme.com./"),
    ...words("https://other.com;.acme.com/ https://bü;.acme.com/ https://[::1]/ \"https://acme.com/\""),
    " https://acme.com/",
    "https://acme.com/\n",
    "https://ac\tme.com/",
    "https://ac\u00adme.com/",
    "https://acme.com\u200b/",
    `https://acme.com/${"a".repeat(2100)}`
  ],
  [
    siteName,
    "sc-domain: acme.com",
    ...words("sc-domain: sc-domain:acme.com/ sc-domain:acme.com:443 sc-domain:a@acme.com domain:acme.com")
  ],
  [propertyName, "", " 123", "123 ", ...words("0 0123 -1 properties/ properties/0 Properties/123 1e3 １２３ 123/x")],
  [fileName, "", "created", "a/b", "a b", "../a", "a%2fb", "ä", "a".repeat(201)]
]

const isCanonical = (text: string) =>
  [siteName, urlPrefixName, propertyName, fileName].every((read) => {
    const name = read(text)
    return name === undefined || read(name) === name
  })

describe("A resource", () => {
  it.for(spellings)("is spelled $1 ($0.name)", ([read, canonical, ...others]) => {
    for (const spelling of [canonical, ...others]) assert.strictEqual(read(spelling), canonical, spelling)
  })

  it.for(unreadable)("is nothing else ($0.name)", ([read, ...texts]) => {
    for (const text of texts) assert.isUndefined(read(text), text)
  })

  it("has one canonical spelling, whatever the text", () => {
    const text = fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string({ unit: codePoint }))
    assert.isFalse(fc.check(fc.property(text, isCanonical)).failed)
  })
})

describe("A URL", () => {
  it.each([
    ["https://acme.com/", "https://acme.com/a?b#c", "HTTPS://ACME.com:443/a", "https://acme.com"],
    ["https://acme.com/blog/", "https://acme.com/blog/a"],
    ["https://acme.com/blog", "https://acme.com/blog?page=2"],
    ["sc-domain:acme.com", "http://shop.acme.com:8080/a", "https://acme.com/"]
  ])("is inside %s: %s", (site, ...urls) => {
    for (const url of urls) assert.isTrue(isInsideSite(site, url), url)
  })

  it.each([
    [
      "https://acme.com/",
      ...words("https://other.com/ http://acme.com/ https://www.acme.com/ https://acme.com.other.com/"),
      ...words("https://acme.com@other.com/ https://other.com\\@acme.com/ https://acme.com:8443/"),
      "https://other.com/https://acme.com/"
    ],
    ["https://acme.com/blog", "https://acme.com/blogger"],
    [
      "https://acme.com/blog/",
      ...words("https://acme.com/blogger https://acme.com/blog/../a https://acme.com/blog/%2e%2e/a"),
      ...words("https://acme.com/blog/..%2fa https://acme.com/blog/.%2e%5ca https://acme.com/Blog/")
    ],
    [
      "sc-domain:acme.com",
      ...words("https://notacme.com/ https://other.com;.acme.com/ https://other.com\"x.acme.com/"),
      "https://acme.com.other.com/"
    ]
  ])("is outside of %s", (site, ...urls) => {
    for (const url of urls) assert.isFalse(isInsideSite(site ?? "", url), url)
  })
})

describe("A list", () => {
  it("has the extremes that Math finds, and those of a bound", () => {
    fc.assert(fc.property(fc.array(fc.integer()), fc.integer(), (numbers, bound) => {
      assert.strictEqual(maxOf(numbers), Math.max(...numbers))
      assert.strictEqual(minOf(numbers), Math.min(...numbers))
      assert.strictEqual(maxOf(numbers, bound), Math.max(bound, ...numbers))
      assert.strictEqual(minOf(numbers, bound), Math.min(bound, ...numbers))
    }))
  })

  it("may be longer than the arguments of a call", () => {
    const long = Array.from({ length: 500_000 }, (_, index) => index)
    const list = [0]
    append(list, long)
    assert.deepStrictEqual([list.length, maxOf(list), minOf(list)], [500_001, 499_999, 0])
  })
})

const channels = ["Direct", "Organic Search", "Email", "Organic Social"]

describe("The nearest texts", () => {
  it.each([
    { wanted: "organic serch", found: ["Organic Search", "Organic Social"] },
    { wanted: "drect", found: ["Direct", "Organic Search"] }
  ])("have the part closest to $wanted", ({ found, wanted }) => {
    assert.deepStrictEqual(nearestParts(wanted, channels, 2), found)
  })

  it.each([
    ["Ledas", "Leads, Orders, Archive leads and 2 more"],
    ["archive", "Archive leads, Orders, A and 2 more"],
    ["Q3 orders", "Orders, Leads, Archive leads and 2 more"]
  ])("of %j are three, with the number of the others: %s", (wanted, named) => {
    const tabs = ["Stock", "Archive leads", "Orders", "Leads", "A"]
    assert.strictEqual(nameNearest(wanted, tabs, (tab) => tab), named)
    assert.strictEqual(nameNearest(wanted, ["A", "B"], (tab) => tab, JSON.stringify), `"A", "B"`)
  })

  it("compares whole names", () => {
    assert.deepStrictEqual(nearest("site.list", ["sites.get", "sites.list"], (name) => name, 1), ["sites.list"])
    assert.deepStrictEqual(nearest("gcs", ["gdocs", "gsc"], (name) => name, 1), ["gsc"])
    assert.deepStrictEqual(nearest("get", ["sites.get", "gets"], (name) => name, 1), ["gets"])
  })
})
