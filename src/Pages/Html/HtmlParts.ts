import { escapeHtml } from "../../Domain/Text/EscapeHtml.ts"

export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Value = string | number | Html | undefined | ReadonlyArray<Html>

const toMarkup = (value: Value): string => {
  if (value === undefined) return ""
  if (value instanceof Html) return value.markup
  return typeof value === "object" ? value.map(toMarkup).join("\n") : escapeHtml(String(value))
}

/** Escapes every value that is not `Html`. Quote attributes with values. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html =>
  new Html(strings.map((text, index) => text + toMarkup(values[index])).join(""))

export const paragraph = (text: string | Html, kind?: "meta" | "lead"): Html =>
  kind === undefined ? html`<p>${text}</p>` : html`<p class="${kind}">${text}</p>`

export const paragraphs = (texts: ReadonlyArray<string>): ReadonlyArray<Html> => texts.map((text) => paragraph(text))

export const list = (items: ReadonlyArray<string | Html>): Html =>
  html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`

export type Fact = readonly [name: string, value: string, kind?: "code"]

export const facts = (rows: ReadonlyArray<Fact>): Html =>
  html`<dl>
${
    rows.map(([name, value, kind]) =>
      kind === "code"
        ? html`<dt>${name}</dt><dd><code>${value}</code></dd>`
        : html`<dt>${name}</dt><dd>${value}</dd>`
    )
  }
</dl>`

export const notice = (text: string | Html, kind?: "bad"): Html =>
  html`<p class="notice${kind === undefined ? "" : " bad"}">${text}</p>`

export const section = (parts: ReadonlyArray<Html>): Html =>
  html`<section>
${parts}
</section>`

export interface Product {
  readonly name: string
  readonly text?: string
  readonly isDone?: boolean
}

export const products = (rows: ReadonlyArray<Product>): Html =>
  html`<ul class="products">
${
    rows.map(({ isDone = false, name, text }) =>
      html`<li${isDone ? html` class="done"` : undefined}><b>${name}</b>${
        text === undefined ? undefined : html` <span>${text}</span>`
      }</li>`
    )
  }
</ul>`

export const progress = (value: number, max: number, text: string): Html =>
  html`<div class="progress"><progress value="${value}" max="${max}" aria-label="${text}"></progress><span aria-hidden="true">${text}</span></div>`

/** Details for the person who is asked for help. */
export const support = (rows: ReadonlyArray<Fact>): Html => details("Details for support", [facts(rows)])

export const details = (summary: string, parts: ReadonlyArray<Html>): Html =>
  html`<details>
<summary>${summary}</summary>
${parts}
</details>`

export interface Button {
  readonly text: string
  readonly name?: string
  readonly value?: string
  readonly kind?: "primary" | "google" | "quiet"
}

export const button = ({ kind, name, text, value = "" }: Button): Html =>
  new Html([
    "<button",
    ...(name === undefined ? [] : [` name="${escapeHtml(name)}" value="${escapeHtml(value)}"`]),
    ...(kind === undefined ? [] : [` class="${kind}"`]),
    `>${kind === "google" ? googleLogo : ""}${escapeHtml(text)}</button>`
  ].join(""))

export const actions = (parts: ReadonlyArray<Html>): Html => html`<div class="actions">${parts}</div>`

/** The decision of a long form, always in sight. */
export const decision = (parts: ReadonlyArray<Html>): Html => html`<div class="actions decision">${parts}</div>`

export const linkButton = (text: string, href: string, kind?: "primary"): Html =>
  html`<a class="button ${kind ?? ""}" href="${href}">${text}</a>`

export const outsideLink = (text: string, href: string): Html =>
  html`<a href="${href}" rel="noopener noreferrer" target="_blank">${text}</a>`

export const form = (
  action: string,
  hidden: Readonly<Record<string, string>>,
  parts: ReadonlyArray<Html>
): Html =>
  html`<form method="post" action="${action}">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${parts}
</form>`

export interface TextField {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly placeholder?: string
  readonly value?: string
  readonly secret?: boolean
  readonly maxLength: number
}

export const textField = (
  { hint, id, label, maxLength, name, placeholder = "", secret = false, value = "" }: TextField
) =>
  html`<div>
<label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${
    secret ? "password" : "text"
  }" value="${value}" placeholder="${placeholder}" maxlength="${maxLength}" required autocomplete="off" autocapitalize="none" spellcheck="false"${
    hint === undefined ? undefined : html` aria-describedby="${id}-hint"`
  }>
${hint === undefined ? undefined : html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`

export interface Choice {
  readonly type: "radio" | "checkbox"
  readonly name: string
  readonly value: string
  readonly label: string
  readonly hint?: string
  readonly checked?: boolean
}

const choice = ({ checked = false, hint, label, name, type, value }: Choice): Html =>
  html`<label class="choice"><input type="${type}" name="${name}" value="${value}"${
    checked ? html` checked` : undefined
  }><span>${label}</span>${hint === undefined ? undefined : html`<span class="hint">${hint}</span>`}</label>`

/** @param kind `if-write` is shown only while writing is chosen */
export const choices = (legend: string, rows: ReadonlyArray<Choice>, kind?: "if-write"): Html =>
  html`<fieldset${kind === undefined ? undefined : html` class="${kind}"`}>
<legend>${legend}</legend>
${rows.map(choice)}
</fieldset>`

/** Choices of which one is checked. */
export const radios = (
  { checked, kind, legend, name }: {
    readonly legend: string
    readonly name: string
    readonly checked: string
    readonly kind?: "if-write"
  },
  rows: ReadonlyArray<Pick<Choice, "value" | "label" | "hint">>
): Html => choices(legend, rows.map((row) => ({ ...row, type: "radio", name, checked: row.value === checked })), kind)

/** From https://developers.google.com/identity/branding-guidelines. */
const googleLogo = `<svg viewBox="0 0 48 48" aria-hidden="true">${
  [
    [
      "#EA4335",
      "M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"
    ],
    [
      "#4285F4",
      "M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"
    ],
    [
      "#FBBC05",
      "M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"
    ],
    [
      "#34A853",
      "M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"
    ]
  ].map(([fill, path]) => `<path fill="${fill}" d="${path}"/>`).join("")
}</svg>`
