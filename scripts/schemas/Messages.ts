import { describe } from "./Describe.ts"
import { type Document, isPreview, type Property, references } from "./Discovery.ts"
import { groupsInOrder } from "./Graph.ts"
import type { MessageRules, Module, Rules } from "./Rules.ts"

export interface Message {
  readonly name: string
  readonly description: string
  readonly fields: ReadonlyArray<Field>
  readonly rules: MessageRules
  /** Leads back to itself. */
  readonly circular: boolean
}

export interface Field {
  readonly name: string
  readonly description: string
  readonly property: Property
}

/** The messages that a module needs, each after those it is made of. */
export const messagesOf = (document: Document, { roots, rules }: Module): ReadonlyArray<Message> => {
  const fieldNames = new Set(Object.values(document.schemas).flatMap(({ properties = {} }) => Object.keys(properties)))
  const schemaOf = (name: string): Property => {
    const schema = document.schemas[name]
    if (schema === undefined) throw new Error(`${document.id} has no schema ${name}`)
    return schema
  }
  const membersOf = (name: string) =>
    Object.entries(schemaOf(name).properties ?? {}).filter(([, property]) => !isPreview(property))
  const uses = (name: string) =>
    membersOf(name).flatMap(([field, property]) =>
      rules[name]?.fields?.[field] === undefined ? references(property) : []
    )

  const messages = groupsInOrder(roots, uses).flatMap((group) =>
    group.map((name) => ({
      name,
      description: describe(schemaOf(name).description ?? "", fieldNames),
      fields: membersOf(name).map(([field, property]) => ({
        name: field,
        description: fieldDescription(property, fieldNames),
        property
      })),
      rules: rules[name] ?? {},
      circular: group.length > 1 || uses(name).includes(name)
    }))
  )
  checkRules(rules, messages)
  return messages
}

const fieldDescription = ({ deprecated, description = "" }: Property, fieldNames: ReadonlySet<string>) => {
  const text = describe(description, fieldNames)
  return deprecated === true && !/deprecated/i.test(text) ? `Deprecated. ${text}` : text
}

/** A rule that no longer has its message or field fails here instead of lapsing in silence. */
const checkRules = (rules: Rules, messages: ReadonlyArray<Message>) => {
  for (const [name, rule] of Object.entries(rules)) {
    const message = messages.find((message) => message.name === name)
    if (message === undefined) throw new Error(`There is a rule for ${name}, which is not reached`)
    const named = [rule.atLeastOneOf, rule.atMostOneOf, rule.exactlyOneOf, rule.required].flatMap((names) =>
      names ?? []
    )
    for (const field of [...named, ...Object.keys({ ...rule.fields, ...rule.maxItems, ...rule.minItems })]) {
      if (!message.fields.some((known) => known.name === field)) {
        throw new Error(`A rule for ${name} names ${field}, which it does not have`)
      }
    }
  }
}
