import { plain } from "./Plain.ts"

export interface Fact {
  readonly name: string
  readonly value: string
}

/** What a person reads of an event, in every format and in mail. It has names and figures, and no data of providers. */
export interface Notice {
  readonly title: string
  readonly facts: ReadonlyArray<Fact>
  /** The link to this service's dashboard: the one thing to do. */
  readonly link: { readonly text: string; readonly url: string }
  /** The connection that it is about. Its notices stand together where a service has threads. */
  readonly thread?: string | undefined
}

/** Characters of texts in a notice, so that it fits into every format, whose limits are larger. */
const maxTitle = 140
export const maxValue = 300

export const makeNotice = ({ facts, title, ...rest }: Notice): Notice => ({
  title: plain(title, maxTitle),
  facts: facts.map(({ name, value }) => ({ name, value: plain(value, maxValue) })),
  ...rest
})
