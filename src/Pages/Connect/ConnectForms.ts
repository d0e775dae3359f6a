import { Option } from "effect"
import type { ServiceAccount } from "../../Connections/Connect/ConnectMethods.ts"
import type { LinkOption } from "../../Management/LinkVisits.ts"
import type { Provider } from "../../Providers/Provider.ts"
import { button, details, form, type Html, html, notice, paragraph, textField } from "../Html/HtmlParts.ts"
import type { OperatorBranding } from "../OperatorBranding.ts"

export interface LinkPageContext {
  readonly operator: OperatorBranding
  readonly path: string
  readonly opener: string | null
  readonly formTargets: ReadonlyArray<string>
}

export const productOf = ({ consent, name }: Provider): string => consent?.product ?? name

const hiddenFields = ({ opener }: LinkPageContext, { provider }: LinkOption, method: string) => ({
  provider: provider.id,
  method,
  ...opener === null ? {} : { opener }
})

const steps = (texts: ReadonlyArray<string>): Html => html`<ol>${texts.map((text) => html`<li>${text}</li>`)}</ol>`

const signInForm = (context: LinkPageContext, offer: LinkOption): Html => {
  const { signIn } = offer.provider.consent ?? {}
  return form(context.path, hiddenFields(context, offer, "oauth"), [
    button({
      text: signIn?.text ?? `Sign in to ${offer.provider.name}`,
      kind: signIn?.brand === "google" ? "google" : "primary"
    })
  ])
}

export const apiKeyForm = (context: LinkPageContext, offer: LinkOption): ReadonlyArray<Html> => [
  ...offer.provider.consent?.apiKey === undefined ? [] : [steps(offer.provider.consent.apiKey.steps)],
  form(context.path, hiddenFields(context, offer, "api_key"), [
    textField({ id: `${offer.provider.id}-key`, name: "api_key", label: "API key", secret: true, maxLength: 500 }),
    button({ text: "Check the key" })
  ])
]

export const invitationForm = (
  context: LinkPageContext,
  offer: LinkOption,
  { email }: ServiceAccount,
  value = ""
): ReadonlyArray<Html> => {
  const invitation = offer.provider.consent?.invitation
  return invitation === undefined ? [] : [
    paragraph(html`Invite this address, which belongs to ${context.operator.name}. No sign-in is needed then.`),
    html`<p><code>${email}</code></p>`,
    steps(invitation.steps),
    form(context.path, hiddenFields(context, offer, "service_account"), [
      textField({
        id: `${offer.provider.id}-resource`,
        name: "resource",
        ...invitation.resource,
        value,
        maxLength: 500
      }),
      button({ text: "Check now" })
    ])
  ]
}

export const connectForms = (context: LinkPageContext, offer: LinkOption): ReadonlyArray<Html> => {
  const { apiKey, oauth, serviceAccount } = offer.methods
  const others: ReadonlyArray<readonly [string, ReadonlyArray<Html>]> = [
    ...apiKey ? [["Use an API key instead", apiKeyForm(context, offer)] as const] : [],
    ...Option.isSome(serviceAccount) && offer.provider.consent?.invitation !== undefined
      ? [["Invite an address instead", invitationForm(context, offer, serviceAccount.value)] as const]
      : []
  ]
  if (oauth) return [signInForm(context, offer), ...others.map(([summary, parts]) => details(summary, parts))]
  const [first, ...rest] = others
  return first === undefined
    ? [notice("This cannot be connected at the moment. Ask the person who sent you the link.")]
    : [...first[1], ...rest.map(([summary, parts]) => details(summary, parts))]
}
