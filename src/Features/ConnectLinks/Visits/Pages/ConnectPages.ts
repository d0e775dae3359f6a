import { Array as Arr, Option } from "effect"
import { type HtmlPage, htmlPage } from "../../../../Pages/Html/HtmlPage.ts"
import {
  type Html,
  html,
  linkButton,
  list,
  paragraph,
  products,
  progress,
  section
} from "../../../../Pages/Html/HtmlParts.ts"
import { productOf } from "../../../../Providers/Provider.ts"
import type { Offer, Visit } from "../Visit.ts"
import { connectForms, finishForm, type LinkPageContext } from "./ConnectForms.ts"
import { askedAccess, grantsOf, isReadOnly, listText, undoConnected, undoOffered } from "./ConnectTexts.ts"
import { openerScript, outcomeData, outcomeOf } from "./OpenerScript.ts"

export const page = (
  { formTargets, operator }: LinkPageContext,
  content: Omit<HtmlPage, "above" | "below" | "formTargets">
) => htmlPage({ ...operator.frame, formTargets, ...content })

export const forClient = ({ link: { clientName } }: Visit): ReadonlyArray<Html> =>
  clientName === null ? [] : [paragraph(html`For <bdi><strong>${clientName}</strong></bdi>.`, "meta")]

const connectedBefore = ({ connection }: Visit): ReadonlyArray<Html> =>
  Option.match(connection, {
    onNone: () => [],
    onSome: ({ external_account }) => [
      paragraph(
        external_account === null
          ? "It was connected before. Sign in again to renew the access."
          : html`<strong>${external_account}</strong> was connected before. Sign in again to renew the access.`
      )
    ]
  })

const assurance = ({ offers }: Visit): string =>
  offers.flat().every(({ provider, scopes }) => isReadOnly(provider, scopes))
    ? "It cannot change or delete anything, and it never sees your password."
    : "It never sees your password."

/** What one sign-in covers, then the button. */
const offerParts = (context: LinkPageContext, offer: Offer): ReadonlyArray<Html> => {
  const [option] = offer
  const seesEmail = option.methods.oauth && option.provider.identity?.extraScopes.includes("email") === true
  return [
    list([
      ...offer.flatMap(grantsOf),
      ...seesEmail ? ["See your email address, to show which account it is"] : []
    ]),
    ...offer.length > 1
      ? [paragraph(`One sign-in for all ${offer.length}. You choose there what to allow.`, "meta")]
      : [],
    ...connectForms(context, offer)
  ]
}

/** Shows the account where this browser connected it. */
const connectedProducts = ({ connected, options }: Visit): ReadonlyArray<Html> => {
  const byAccount = Arr.groupBy(
    options.filter(({ isConnected }) => isConnected),
    ({ provider: { id } }) => connected.find(({ provider }) => provider === id)?.external_account ?? ""
  )
  return Object.entries(byAccount).map(([account, done]) =>
    products([{
      name: listText(done.map(({ provider }) => productOf(provider))),
      text: account === "" ? "Connected" : `Connected: ${account}`,
      isDone: true
    }])
  )
}

export const linkPage = (context: LinkPageContext, visit: Visit) => {
  const { connection, offers, options } = visit
  const { operator: { name } } = context
  const [first] = options
  const isSingle = options.length === 1 && first !== undefined
  const done = options.filter(({ isConnected }) => isConnected).length
  return page(context, {
    status: 200,
    title: isSingle
      ? `${name} asks to ${askedAccess(first)}${Option.isSome(connection) ? " again" : ""}`
      : done === 0
      ? `${name} asks to connect your accounts`
      : "Connect the next account",
    parts: [
      ...forClient(visit),
      ...connectedBefore(visit),
      ...done === 0 ? [] : [progress(done, options.length, `${done} of ${options.length} connected`)],
      ...connectedProducts(visit),
      ...isSingle
        ? offers.flatMap((offer) => offerParts(context, offer))
        : offers.map((offer) => section(offerParts(context, offer))),
      paragraph(html`${assurance(visit)} ${undoOffered(options)}`, "meta"),
      ...finishForm(context, visit, "quiet")
    ]
  })
}

export const connectedByLinkPage = (context: LinkPageContext, visit: Visit) => {
  const { opener, operator: { name }, path } = context
  const { connected, link, offers, options } = visit
  const made = options.flatMap(({ provider, scopes }) =>
    connected.filter((connection) => connection.provider === provider.id).map((connection) => ({
      connection,
      provider,
      // An API key has no scopes.
      scopes: connection.auth_type === "api_key" ? scopes : connection.scopes
    }))
  )
  const [first] = made
  const byAccount = Arr.groupBy(made, ({ connection }) => connection.external_account ?? "")
  const left = link.status === "open" ? offers.flat() : []
  return page(context, {
    status: 200,
    state: "ok",
    title: made.length === 1 && first !== undefined
      ? `${productOf(first.provider)} is connected`
      : left.length === 0
      ? "Everything is connected"
      : `${made.length} of ${options.length} are connected`,
    parts: [
      ...forClient(visit),
      ...Object.entries(byAccount).flatMap(([account, all]) => [
        paragraph(`${name} can now${account === "" ? "" : `, with ${account}`}:`),
        products(all.map((one) => ({ name: capitalized(askedAccess(one)), isDone: true })))
      ]),
      paragraph(
        left.length === 0
          ? "You can close this window."
          : `Not connected: ${listText(left.map(({ provider }) => productOf(provider)))}. The link stays open until ${
            dateOf(link.expires_at)
          }. You can close this window.`
      ),
      ...left.length === 0 ? [] : [linkButton("Connect the next account", path)],
      ...link.redirect_url === null || opener !== null ? [] : finishForm(context, visit, "primary"),
      paragraph(html`${undoConnected(made)}`, "meta"),
      ...opener === null ? [] : [outcomeData(opener, outcomeOf(link))]
    ],
    ...opener === null ? {} : { script: openerScript }
  })
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const dateOf = (date: Date) => new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(date)
