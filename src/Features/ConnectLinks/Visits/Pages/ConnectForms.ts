import { Option } from "effect"
import type { ServiceAccount } from "../../../../Connections/Connect/ConnectMethods.ts"
import {
  button,
  details,
  form,
  type Html,
  html,
  notice,
  paragraph,
  textField
} from "../../../../Pages/Html/HtmlParts.ts"
import type { OperatorBranding } from "../../../../Pages/OperatorBranding.ts"
import { productOf } from "../../../../Providers/Provider.ts"
import type { LinkOption, Offer, Visit } from "../Visit.ts"

export interface LinkPageContext {
  readonly operator: OperatorBranding
  readonly path: string
  readonly opener: string | null
  readonly formTargets: ReadonlyArray<string>
}

const openerField = ({ opener }: LinkPageContext) => opener === null ? {} : { opener }

const hiddenFields = (context: LinkPageContext, { provider }: LinkOption, method: string) => ({
  provider: provider.id,
  method,
  ...openerField(context)
})

const steps = (texts: ReadonlyArray<string>): Html => html`<ol>${texts.map((text) => html`<li>${text}</li>`)}</ol>`

const signInForm = (context: LinkPageContext, [option]: Offer): Html => {
  const { signIn } = option.provider.consent ?? {}
  return form(context.path, hiddenFields(context, option, "oauth"), [
    button({
      text: signIn?.text ?? `Sign in to ${option.provider.name}`,
      kind: signIn?.brand === "google" ? "google" : "primary"
    })
  ])
}

export const apiKeyForm = (context: LinkPageContext, option: LinkOption): ReadonlyArray<Html> => [
  ...option.provider.consent?.apiKey === undefined ? [] : [steps(option.provider.consent.apiKey.steps)],
  form(context.path, hiddenFields(context, option, "api_key"), [
    textField({ id: `${option.provider.id}-key`, name: "api_key", label: "API key", secret: true, maxLength: 500 }),
    button({ text: "Check the key" })
  ])
]

export const addressToInvite = ({ operator }: LinkPageContext, { email }: ServiceAccount): ReadonlyArray<Html> => [
  paragraph(html`Invite this address, which belongs to ${operator.name}. No sign-in is needed then.`),
  html`<p><code>${email}</code></p>`
]

export const invitationForm = (context: LinkPageContext, option: LinkOption, value = ""): ReadonlyArray<Html> => {
  const invitation = option.provider.consent?.invitation
  return invitation === undefined ? [] : [
    steps(invitation.steps),
    form(context.path, hiddenFields(context, option, "service_account"), [
      textField({
        id: `${option.provider.id}-resource`,
        name: "resource",
        ...invitation.resource,
        value,
        maxLength: 500
      }),
      button({ text: "Check now" })
    ])
  ]
}

const invitations = (context: LinkPageContext, offer: Offer): ReadonlyArray<Html> => {
  const invited = offer.filter(({ methods, provider }) =>
    Option.isSome(methods.serviceAccount) && provider.consent?.invitation !== undefined
  )
  const account = Option.firstSomeOf(invited.map(({ methods }) => methods.serviceAccount))
  if (Option.isNone(account)) return []
  return [
    ...addressToInvite(context, account.value),
    ...offer.length === 1
      ? invited.flatMap((option) => invitationForm(context, option))
      : invited.map((option) => details(productOf(option.provider), invitationForm(context, option)))
  ]
}

export const connectForms = (context: LinkPageContext, offer: Offer): ReadonlyArray<Html> => {
  const keys = offer.filter(({ methods }) => methods.apiKey).flatMap((option) => apiKeyForm(context, option))
  const others = [
    ["Use an API key instead", keys] as const,
    ["Invite an address instead", invitations(context, offer)] as const
  ].filter(([, parts]) => parts.length > 0)
  if (offer[0].methods.oauth) {
    return [signInForm(context, offer), ...others.map(([summary, parts]) => details(summary, parts))]
  }
  const [first, ...rest] = others
  return first === undefined
    ? [notice("This cannot be connected at the moment. Ask the person who sent you the link.")]
    : [...first[1], ...rest.map(([summary, parts]) => details(summary, parts))]
}

/** The button that ends the visit: it leads to the operator's site, or to the last page. */
export const finishForm = (
  context: LinkPageContext,
  { connected, link }: Pick<Visit, "connected" | "link">,
  kind?: "primary" | "quiet"
): ReadonlyArray<Html> => {
  const { connected: uses, redirect_url } = link
  const host = redirect_url === null || context.opener !== null ? undefined : new URL(redirect_url).host
  const text = host !== undefined
    ? uses.length === 0
      ? `No, go back to ${host}`
      : kind === "primary"
      ? `Go back to ${host}`
      : `Enough, go back to ${host}`
    : connected.length === 0
    ? undefined
    : "That is enough"
  return text === undefined
    ? []
    : [form(`${context.path}/finish`, openerField(context), [button({ text, ...kind === undefined ? {} : { kind } })])]
}
