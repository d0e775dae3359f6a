import { Predicate } from "effect"
import { schemas } from "./Document.ts"
import { camelCase } from "./Names.ts"
import { comment, typeExpression } from "./TypeSource.ts"

/** These fields of a call are arguments of their own in the client. */
const ofTarget = ["provider", "endpoint", "tool", "input"]

/** The options of a call are the other fields of the body of `POST /v1/call`. */
export const callOptionsSource = (): string => {
  const fields = Object.entries(Object(schemas["CallRequest"]?.["properties"])).flatMap(([field, schema]) =>
    ofTarget.includes(field) || !Predicate.isObject(schema) ? [] : [{ field, option: camelCase(field), schema }]
  )
  return [
    `export interface CallFields {\n${
      fields.map(({ option, schema }) =>
        `${comment(schema["description"])}readonly ${option}?: ${typeExpression(schema)} | undefined\n`
      ).join("")
    }}\n`,
    `export const callFields = ({ ${fields.map(({ option }) => option).join(", ")} }: CallFields) => ({\n${
      fields.map(({ field, option }) => `${field}: ${option}`).join(",\n")
    }\n})\n`
  ].join("\n")
}
