import { type DiscoveryDocument, type DiscoverySchema, isPreview, referencedNames } from "./Discovery.ts"
import { connectedComponents } from "./Graph.ts"
import type { MessageRules, Module, Rules } from "./Rules.ts"

export interface Message {
  readonly name: string
  readonly description: string
  readonly fields: ReadonlyArray<Field>
  readonly rules: MessageRules
  readonly recursive: boolean
}

export interface Field {
  readonly name: string
  readonly description: string
  readonly property: DiscoverySchema
}

export const readMessages = (document: DiscoveryDocument, { roots, rules }: Module): ReadonlyArray<Message> => {
  const fieldNames = new Set(Object.values(document.schemas).flatMap(({ properties = {} }) => Object.keys(properties)))
  const schemaOf = (name: string): DiscoverySchema => {
    const schema = document.schemas[name]
    if (schema === undefined) throw new Error(`${document.id} has no schema ${name}`)
    return schema
  }
  const membersOf = (name: string) =>
    Object.entries(schemaOf(name).properties ?? {}).filter(([, property]) => !isPreview(property))
  const dependencies = (name: string) =>
    membersOf(name).flatMap(([field, property]) =>
      rules[name]?.fields?.[field] === undefined ? referencedNames(property) : []
    )

  const messages = connectedComponents(roots, dependencies).flatMap((group) =>
    group.map((name) => ({
      name,
      description: plainDescription(schemaOf(name).description ?? "", fieldNames),
      fields: membersOf(name).map(([field, property]) => ({
        name: field,
        description: fieldDescription(property, fieldNames),
        property
      })),
      rules: rules[name] ?? {},
      recursive: group.length > 1 || dependencies(name).includes(name)
    }))
  )
  checkRules(rules, messages)
  return messages
}

const fieldDescription = ({ deprecated, description = "" }: DiscoverySchema, fieldNames: ReadonlySet<string>) => {
  const text = plainDescription(description, fieldNames)
  return deprecated === true && !/deprecated/i.test(text) ? `Deprecated. ${text}` : text
}

const checkRules = (rules: Rules, messages: ReadonlyArray<Message>) => {
  for (const [name, rule] of Object.entries(rules)) {
    const message = messages.find((message) => message.name === name)
    if (message === undefined) throw new Error(`A rule names ${name}, which no root message contains`)
    const named = [rule.atLeastOneOf, rule.atMostOneOf, rule.exactlyOneOf, rule.required].flatMap((names) =>
      names ?? []
    )
    for (const field of [...named, ...Object.keys({ ...rule.fields, ...rule.maxItems, ...rule.minItems })]) {
      if (!message.fields.some((known) => known.name === field)) {
        throw new Error(`A rule for ${name} names ${field}, which is not one of its fields`)
      }
    }
  }
}

const maxDescriptionLength = 400

/** Plain text of at most 400 characters that ends with a whole sentence. Turns `field_name` into `fieldName`. */
const plainDescription = (description: string, fieldNames: ReadonlySet<string>): string => {
  const text = description
    .replaceAll(/\[([^\]]+)\] ?\([^)]+\)/g, "$1")
    .replaceAll(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (name) => fieldNames.has(camelCase(name)) ? camelCase(name) : name)
    .replaceAll(/\s+/g, " ")
    .trim()
  return text.length <= maxDescriptionLength ? text : shorten(text)
}

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const shorten = (text: string): string => {
  const sentences = text.match(/.+?[.!?](?=\s|$)/g) ?? []
  let kept = ""
  for (const sentence of sentences) {
    if (kept.length + sentence.length > maxDescriptionLength) break
    kept += sentence
  }
  return kept === "" ? `${text.slice(0, maxDescriptionLength).replace(/\s+\S*$/, "")} …` : kept
}
