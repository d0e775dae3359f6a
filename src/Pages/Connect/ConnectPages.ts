import { Option } from "effect"
import type { Pending } from "../../Connections/Connect/PendingConnections.ts"
import type { Connection } from "../../Domain/Connection.ts"
import type { LinkOption, Visit } from "../../Management/LinkVisits.ts"
import type { Provider } from "../../Providers/Provider.ts"
import { type HtmlPage, htmlPage } from "../Html/HtmlPage.ts"
import {
  actions,
  button,
  type Fact,
  form,
  type Html,
  html,
  linkButton,
  list,
  notice,
  outsideLink,
  paragraph,
  section
} from "../Html/HtmlParts.ts"
import { connectForms, type LinkPageContext, productOf } from "./ConnectForms.ts"
import { openerScript, outcomeData, withOutcome } from "./OpenerScript.ts"

const page = ({ formTargets, operator }: LinkPageContext, content: Omit<HtmlPage, "above" | "below" | "formTargets">) =>
  htmlPage({ ...operator.frame, formTargets, ...content })

const asks = ({ provider, scopes }: LinkOption): string => {
  const { consent, name } = provider
  if (consent === undefined) return `use your ${name} account`
  return isReadOnly(provider, scopes) ? consent.reads : consent.writes
}

const isIdentity = (scope: string): boolean => /^(?:openid|email|profile)$|\/userinfo\.(?:email|profile)$/.test(scope)

const isReadOnly = ({ scopes: { read } }: Provider, scopes: ReadonlyArray<string>): boolean =>
  scopes.every((scope) => read.includes(scope) || isIdentity(scope))

const grantOf = ({ provider, scopes }: Pick<LinkOption, "provider" | "scopes">): Html =>
  html`${
    list([
      ...scopes.filter((scope) => !isIdentity(scope)).map((scope) => provider.consent?.scopes[scope] ?? scope),
      ...provider.identity?.extraScopes.includes("email") === true
        ? ["See your email address, to show which account is connected"]
        : []
    ])
  }
${
    paragraph(
      isReadOnly(provider, scopes)
        ? "It cannot change or delete anything, and it never sees your password."
        : "It never sees your password.",
      "meta"
    )
  }`

const undoCredentials = ({ auth_type, external_account }: Connection, provider: Provider): Html | undefined => {
  switch (auth_type) {
    case "oauth":
      return undoOf(provider)
    case "api_key":
      return paragraph("You can end the access at any time: delete the API key where you made it.", "meta")
    case "service_account":
      return paragraph(`You can end the access at any time: remove ${external_account} where you added it.`, "meta")
  }
}

const undoOf = ({ consent }: Provider): Html | undefined =>
  consent &&
  html`<p class="meta">You can end the access at any time: ${outsideLink(consent.undo.text, consent.undo.url)}.</p>`

const undoOnce = (offers: ReadonlyArray<LinkOption>): ReadonlyArray<Html> => {
  const byUrl = new Map(offers.map(({ provider }) => [provider.consent?.undo.url, undoOf(provider)]))
  return [...byUrl.values()].flatMap((undo) => undo ?? [])
}

const forClient = ({ link: { clientName } }: Visit): ReadonlyArray<Html> =>
  clientName === null ? [] : [paragraph(html`For <strong>${clientName}</strong>.`, "meta")]

export const linkPage = (context: LinkPageContext, visit: Visit) => {
  const { connection, link, offers } = visit
  const { operator: { name } } = context
  const [first] = offers
  const parts = offers.map((offer) =>
    offer.isConnected
      ? [html`<p class="state ok">✓ Connected</p>`]
      : [grantOf(offer), ...connectForms(context, offer)]
  )
  const again = Option.match(connection, {
    onNone: () => [],
    onSome: ({ external_account }) => [
      paragraph(
        external_account === null
          ? "It was connected before. Sign in again to renew the access."
          : html`<strong>${external_account}</strong> was connected before. Sign in again to renew the access.`
      )
    ]
  })
  return page(context, {
    status: 200,
    title: offers.length === 1 && first !== undefined
      ? `${name} asks to ${asks(first)}${Option.isSome(connection) ? " again" : ""}`
      : `${name} asks to connect your accounts`,
    parts: [
      ...forClient(visit),
      ...again,
      ...offers.length === 1
        ? parts.flat()
        : offers.map((offer, index) =>
          section(productOf(offer.provider), [paragraph(`To ${asks(offer)}.`), ...parts[index] ?? []])
        ),
      ...undoOnce(offers),
      ...cancelLink(context, link.redirect_url, offers)
    ]
  })
}

const cancelLink = (
  { opener }: LinkPageContext,
  redirectUrl: string | null,
  offers: ReadonlyArray<LinkOption>
): ReadonlyArray<Html> =>
  redirectUrl === null || opener !== null ? [] : [
    html`<p class="meta"><a href="${
      withOutcome(redirectUrl, {
        status: "denied",
        provider: offers.length === 1 ? offers[0]?.provider.id : undefined,
        connectionId: null
      })
    }">No, go back to ${new URL(redirectUrl).host}</a></p>`
  ]

export const confirmPage = (context: LinkPageContext, visit: Visit, offer: LinkOption, pending: Pending) => {
  const { operator: { name }, path } = context
  const { connection, link } = visit
  const { authType, externalAccount, id, scopes } = pending
  const product = productOf(offer.provider)
  const before = Option.getOrUndefined(connection)?.external_account ?? null
  const hidden = { pending: id }
  const titles = {
    api_key: "The API key works. Connect it?",
    service_account: "The invitation works. Connect it?",
    oauth: "Connect this account?"
  }
  const facts: ReadonlyArray<Fact> = [
    ["To", product],
    ...(link.clientName === null ? [] : [["For", link.clientName] as const]),
    ...(before === null ? [] : [["Connected before", before] as const])
  ]
  return page(context, {
    status: 200,
    title: titles[authType],
    parts: [
      ...externalAccount === null ? [] : [paragraph(externalAccount, "lead")],
      paragraph(
        `${name} will then be able to ${asks({ ...offer, scopes: authType === "api_key" ? offer.scopes : scopes })}.`
      ),
      ...before !== null && externalAccount !== null && before !== externalAccount
        ? [
          notice(
            `This is another account than before. The connection will change from ${before} to ${externalAccount}.`
          )
        ]
        : [],
      paragraph("Nothing is connected until you confirm.", "meta"),
      actions([
        form(`${path}/confirm`, hidden, [button({ text: "Connect", kind: "primary" })]),
        form(`${path}/cancel`, hidden, [button({ text: authType === "oauth" ? "Use another account" : "Go back" })])
      ])
    ],
    facts
  })
}

export const connectedByLinkPage = (
  context: LinkPageContext,
  { clientName, connection, moreToConnect, provider, redirectUrl }: {
    readonly connection: Connection
    readonly provider: Provider
    readonly clientName: string | null
    readonly moreToConnect: boolean
    readonly redirectUrl: string | null
  }
) => {
  const { external_account, id, label } = connection
  const outcome = { status: "connected", provider: provider.id, connectionId: id } as const
  return page(context, {
    status: 200,
    state: "ok",
    title: `${productOf(provider)} is connected`,
    parts: [
      paragraph(
        moreToConnect ? "You can connect the next account, or close this window." : "You can close this window."
      ),
      ...moreToConnect ? [linkButton("Connect the next account", context.path, "primary")] : [],
      ...redirectUrl === null
        ? []
        : [linkButton(`Go back to ${new URL(redirectUrl).host}`, withOutcome(redirectUrl, outcome))],
      undoCredentials(connection, provider) ?? html``,
      ...context.opener === null ? [] : [outcomeData(context.opener, outcome)]
    ],
    facts: [
      ...(external_account === null ? [] : [["Account", external_account] as const]),
      ...(clientName === null ? [] : [["For", clientName] as const]),
      ["Name", label],
      ["Connection", id, "code"]
    ],
    ...context.opener === null ? {} : { script: openerScript }
  })
}
