import * as fc from "fast-check"

/** What a bound of these tests allows. */
export const inside = {
  site: "https://acme.com/",
  domain: "sc-domain:acme.com",
  /** Of that domain. */
  page: "https://www.acme.com/shop?size=1",
  property: "123",
  file: "1Acme_-sheet",
  document: "1Acme_-document"
} as const

export type Kind = keyof typeof inside

const sites = [
  "https://acme.com/",
  "https://acme.com",
  "sc-domain:acme.com",
  "sc-domain:other.com",
  "http://acme.com/",
  "https://other.com/",
  "https://www.acme.com/",
  "https://acme.com.other.com/",
  "https://acme.com/blog/",
  "acme.com",
  "other.com"
]

const bases: Readonly<Record<Kind, ReadonlyArray<string>>> = {
  site: sites,
  domain: [...sites, "sc-domain:www.acme.com", "sc-domain:com", "domain:acme.com"],
  page: [...sites, "https://www.acme.com/shop?size=1", "https://acme.com@other.com/", "https://notacme.com/"],
  property: ["123", "properties/123", "124", "properties/1234", "0", "12", "properties/properties/123"],
  file: [
    "1Acme_-sheet",
    "1Other_-sheet",
    "created",
    "1acme_-sheet",
    "https://docs.google.com/spreadsheets/d/1Acme_-sheet/edit#gid=0",
    "https://docs.google.com/spreadsheets/d/1Other_-sheet/edit?usp=sharing#gid=1Acme_-sheet"
  ],
  document: [
    "1Acme_-document",
    "1Other_-document",
    "created",
    "1acme_-document",
    "https://docs.google.com/document/d/1Acme_-document/edit",
    "https://docs.google.com/document/u/1/d/1Other_-document/edit?tab=1Acme_-document"
  ]
}

const percent = (char: string): string =>
  encodeURIComponent(char).replace(/^[^%]$/, (c) => `%${c.charCodeAt(0).toString(16)}`)

const noise = [
  ...":443 :80 :8443 :0443 / // \\ @ @other.com # ?x= . .. /../ /./ %2e %2f %5c %00 \0 \t \n \u00a0".split(" "),
  ..."\u200b \u00ad \ufeff 。 a\u0301 other.com acme.com sc-domain: https:// properties/ ０ 0 ａ ſ ' \" ; ,".split(" "),
  " "
]

type Change = (text: string, at: number, part: string) => string

const changes: ReadonlyArray<Change> = [
  (text, at, part) => text.slice(0, at) + part + text.slice(at),
  (text, at, part) => text.slice(0, at) + part + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + percent(text.charAt(at)) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.charAt(at).toUpperCase() + text.slice(at + 1),
  (text) => text.toUpperCase(),
  (text) => encodeURIComponent(text),
  (text, _, part) => part + text,
  (text, _, part) => text + part
]

const change = fc.record({ apply: fc.constantFrom(...changes), at: fc.nat(40), part: fc.constantFrom(...noise) })

/** Spellings of names that are inside or outside, with up to three changes. */
export const spellings = (kind: Kind, count: number, seed: number): ReadonlyArray<string> =>
  fc.sample(
    fc.tuple(fc.constantFrom(...bases[kind]), fc.array(change, { maxLength: 3 })).map(([base, made]) =>
      made.reduce((text, { apply, at, part }) => apply(text, Math.min(at, text.length), part), base)
    ),
    { numRuns: count, seed }
  )

/** Whether a client could read a name as anything else than what is inside. Two readers must agree. */
export const isSurelyInside = (kind: Kind, name: string, isUrl: boolean): boolean => {
  switch (kind) {
    case "property":
      return /^\s*(?:properties\/)?123\s*$/.test(name)
    case "file":
    case "document":
      return name.trim() === inside[kind]
    case "domain":
      return isUrl ? isSurelyInside("page", name, true) : /^sc-domain:acme\.com$/i.test(name)
    case "page": {
      if (!isUrl) return name === inside.domain
      const plain = /^https?:\/\/(?:[a-z0-9-]+\.)*acme\.com(?::\d+)?(?:[/?#]\S*)?$/i
      const url = URL.parse(name)
      return url !== null && plain.test(name) && !name.includes("\\") && /(?:^|\.)acme\.com$/.test(url.hostname)
    }
    case "site": {
      const url = URL.parse(name)
      const plain = /^https:\/\/acme\.com(?::0*443)?(?<rest>[/?#].*)?$/is.exec(name)
      if (url === null || plain === null || /[\\\s]/.test(name)) return false
      return url.origin === "https://acme.com" && url.username === "" && (isUrl || url.href === inside.site)
    }
  }
}
