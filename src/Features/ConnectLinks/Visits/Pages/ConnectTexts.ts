import type { Connection } from "../../../../Domain/Connection.ts"
import { type Html, html, outsideLink } from "../../../../Pages/Html/HtmlParts.ts"
import { productOf, type Provider } from "../../../../Providers/Provider.ts"
import type { LinkOption } from "../Visit.ts"

/** The name of a site as people know it. Other resources keep the title that the account has for them. */
export const siteName = (title: string): string =>
  title.replace(/^sc-domain:(.+)$/, "$1, the whole domain").replace(/^https?:\/\/([^/]+)\/$/, "$1")

const isIdentity = (scope: string): boolean => /^(?:openid|email|profile)$|\/userinfo\.(?:email|profile)$/.test(scope)

export const isReadOnly = ({ scopes: { read } }: Provider, scopes: ReadonlyArray<string>): boolean =>
  scopes.every((scope) => read.includes(scope) || isIdentity(scope))

/** Continues the sentence "Acme asks to …". */
export const askedAccess = ({ provider, scopes }: Pick<LinkOption, "provider" | "scopes">): string => {
  const { consent, name } = provider
  if (consent === undefined) return `use your ${name} account`
  return isReadOnly(provider, scopes) ? consent.reads : consent.writes
}

/** What the scopes allow, in the provider's words. */
export const grantsOf = ({ provider, scopes }: Pick<LinkOption, "provider" | "scopes">): ReadonlyArray<string> =>
  scopes.filter((scope) => !isIdentity(scope)).map((scope) =>
    provider.consent?.scopes[scope] ?? `${productOf(provider)}: ${scope}`
  )

export const listText = (items: ReadonlyArray<string>): string =>
  new Intl.ListFormat("en", { type: "conjunction" }).format(items)

const undoLink = ({ consent }: Provider): ReadonlyArray<Html> =>
  consent === undefined ? [] : [outsideLink(consent.undo.text, consent.undo.url)]

const undoSentence = (ways: ReadonlyArray<Html>): Html | undefined => {
  const [first, ...others] = new Map(ways.map((way) => [way.markup, way])).values()
  return first && html`You can end the access at any time: ${first}${others.map((way) => html`; ${way}`)}.`
}

/** How to undo what the options would connect. */
export const undoOffered = (options: ReadonlyArray<LinkOption>): Html | undefined =>
  undoSentence(options.flatMap(({ provider }) => undoLink(provider)))

const undoWay = ({ auth_type, external_account }: Connection, provider: Provider): ReadonlyArray<Html> => {
  switch (auth_type) {
    case "oauth":
      return undoLink(provider)
    case "api_key":
      return [html`delete the API key where you made it`]
    case "service_account":
      return [html`remove ${external_account ?? "the address"} where you added it`]
  }
}

/** How to undo what was connected. */
export const undoConnected = (
  made: ReadonlyArray<{ readonly connection: Connection; readonly provider: Provider }>
): Html | undefined => undoSentence(made.flatMap(({ connection, provider }) => undoWay(connection, provider)))
