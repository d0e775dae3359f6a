import { Option } from "effect"
import type { InvalidInput } from "../../../../Api/Errors.ts"
import {
  button,
  choices,
  decision,
  form,
  type Html,
  html,
  list,
  notice,
  paragraph
} from "../../../../Pages/Html/HtmlParts.ts"
import { productOf } from "../../../../Providers/Provider.ts"
import type { Pending } from "../PendingConnections.ts"
import { maxOffered, type OfferedResource, type OfferedResources, type Ticked } from "../PendingResources.ts"
import type { LinkOption, Visit } from "../Visit.ts"
import type { LinkPageContext } from "./ConnectForms.ts"
import { forClient, page } from "./ConnectPages.ts"
import { askedAccess, listText, siteName } from "./ConnectTexts.ts"
import { sitesScript } from "./SitesScript.ts"

export interface ConfirmedAgain {
  readonly error: InvalidInput
  readonly ticked: ReadonlyMap<string, Ticked>
}

export const tickedIn = (fields: URLSearchParams): ReadonlyMap<string, Ticked> =>
  new Map(
    fields.getAll("offered").map((text) => {
      const [provider = "", count] = text.split(" ")
      return [provider, { keys: new Set(fields.getAll(`of_${provider}`)), offered: Number(count) }]
    })
  )

const minOffered = 2

const isOffered = ({ resources }: OfferedResources) =>
  resources !== undefined && resources.length >= minOffered && resources.length <= maxOffered

const choiceOf = (
  { provider, resources }: OfferedResources,
  operator: string,
  ticked: Ticked | undefined
): ReadonlyArray<Html> => {
  const product = productOf(provider)
  if (resources === undefined) {
    return [notice(`What you have in ${product} could not be read. ${operator} will reach all of it.`)]
  }
  if (resources.length < minOffered) return []
  if (resources.length > maxOffered) {
    const count = resources.length.toLocaleString("en")
    return [
      notice(`${product} has ${count} entries, too many to choose from here. ${operator} will reach all of them.`)
    ]
  }
  const field = html`<input type="hidden" name="offered" value="${provider.id} ${resources.length}">`
  const rows = choices(
    `In ${product}, ${operator} may use (${resources.length})`,
    resources.map(({ key, resource, title }: OfferedResource) => ({
      type: "checkbox",
      name: `of_${provider.id}`,
      value: key,
      label: siteName(title),
      ...title === resource.slice(provider.id.length + 1) ? {} : { hint: resource.slice(provider.id.length + 1) },
      checked: ticked?.keys.has(key) ?? true
    }))
  )
  return [html`<div class="scroll short">${rows}${field}</div>`]
}

export const confirmPage = (
  context: LinkPageContext,
  { again, pending, reachable, visit }: {
    readonly visit: Visit
    readonly pending: Pending
    readonly reachable: ReadonlyArray<OfferedResources>
    readonly again?: ConfirmedAgain | undefined
  }
) => {
  const { operator: { name }, path } = context
  const { connection, offers } = visit
  const { authType, externalAccount, id, providers, resources, scopes } = pending
  const isGranted = ({ provider }: LinkOption): boolean => providers.includes(provider.id)
  const offered = offers.find((offer) => offer.some(isGranted)) ?? []
  const left = offered.filter((option) => !isGranted(option))
  const before = Option.getOrUndefined(connection)?.external_account ?? null
  const titles = {
    api_key: "The API key works. Connect it?",
    service_account: "The invitation works. Connect it?",
    oauth: "Connect this account?"
  }
  const abilities = offered.filter(isGranted).map((option) =>
    askedAccess(authType === "oauth" && providers.length === 1 ? { ...option, scopes } : option)
  )
  const hidden = { pending: id }
  const lists = reachable.flatMap((each) => choiceOf(each, name, again?.ticked.get(each.provider.id)))
  const isChosen = reachable.some(isOffered)
  return page(context, {
    status: again?.error.status ?? 200,
    title: titles[authType],
    parts: [
      ...externalAccount === null ? [] : [paragraph(externalAccount, "lead")],
      ...forClient(visit),
      ...abilities.length === 1
        ? [paragraph(`${name} will then be able to ${abilities[0]}.`)]
        : [paragraph(`${name} will then be able to:`), list(abilities)],
      ...(resources ?? []).map((resource) =>
        paragraph(`It will reach ${resource.slice(resource.indexOf(":") + 1)} and nothing else.`)
      ),
      ...authType === "oauth" && left.length > 0
        ? [
          notice(
            `Not allowed: ${listText(left.map(({ provider }) => productOf(provider)))}. You can connect ${
              left.length === 1 ? "it" : "them"
            } afterwards.`
          )
        ]
        : [],
      ...before !== null && externalAccount !== null && before !== externalAccount
        ? [
          notice(
            `This is another account than before. The connection will change from ${before} to ${externalAccount}.`
          )
        ]
        : [],
      ...again === undefined ? [] : (again.error.details ?? []).map(({ message }) => notice(`${message}.`, "bad")),
      form(`${path}/confirm`, hidden, [
        ...lists,
        paragraph(
          isChosen
            ? "Untick what it shall not reach. While all are ticked, new ones are included."
            : "Nothing is connected until you confirm.",
          "meta"
        ),
        decision([
          button({ text: "Connect", kind: "primary" }),
          // In this form, so that both buttons are in one row.
          html`<button formaction="${path}/cancel">${authType === "oauth" ? "Use another account" : "Go back"}</button>`
        ])
      ])
    ],
    facts: before === null ? [] : [["Connected before", before]],
    ...isChosen ? { script: sitesScript } : {}
  })
}
