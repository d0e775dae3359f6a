import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import { syntaxTree } from "@codemirror/language"
import type { Diagnostic } from "@codemirror/lint"
import type { EditorState } from "@codemirror/state"
import { hoverTooltip } from "@codemirror/view"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { type JsonSchema, propertiesAt, valuesAt } from "./SchemaPath.ts"

type Path = Issue["path"]
type Node = ReturnType<ReturnType<typeof syntaxTree>["resolveInner"]>

const nameOf = (state: EditorState, property: Node): string | undefined => {
  const name = property.getChild("PropertyName")
  return name ? state.sliceDoc(name.from + 1, name.to - 1) : undefined
}

/** Names from the outermost, as in `["body", "requests", "0"]`. */
const pathAt = (state: EditorState, position: number): ReadonlyArray<string> => {
  const path: Array<string> = []
  for (let node = syntaxTree(state).resolveInner(position, -1); node.parent; node = node.parent) {
    if (node.name === "Property") {
      const name = node.getChild("PropertyName")
      if (name && name.to < position) path.unshift(nameOf(state, node) ?? "")
    } else if (node.parent.name === "Array") {
      path.unshift("0")
    }
  }
  return path
}

const isValuePosition = (state: EditorState, position: number): boolean =>
  /(:|\[|,\s*"[^"]*"?\s*:)\s*("[^"]*)?[\w.]*$/.test(state.sliceDoc(Math.max(0, position - 200), position)) &&
  !/[{,]\s*"?[\w.]*$/.test(state.sliceDoc(Math.max(0, position - 200), position))

export const completeFrom = (schema: JsonSchema) => (context: CompletionContext): CompletionResult | null => {
  const word = context.matchBefore(/"[\w.]*"?|[\w.]+/)
  if (!word && !context.explicit) return null
  const from = word?.from ?? context.pos
  const path = pathAt(context.state, from)
  if (isValuePosition(context.state, from)) {
    const values = valuesAt(schema, path)
    return { from, options: values.map((value) => ({ label: JSON.stringify(value), type: "enum" })) }
  }
  return {
    from,
    options: propertiesAt(schema, path).map(({ description, isRequired, name, type }) => ({
      label: `"${name}"`,
      apply: `"${name}": `,
      type: "property",
      boost: isRequired ? 1 : 0,
      detail: [type, isRequired && "required"].filter(Boolean).join(", "),
      ...description !== undefined && { info: description }
    }))
  }
}

export const describeFrom = (schema: JsonSchema) =>
  hoverTooltip(({ state }, position) => {
    const node = syntaxTree(state).resolveInner(position, 1)
    if (node.name !== "PropertyName" || !node.parent) return null
    const name = nameOf(state, node.parent)
    const property = propertiesAt(schema, pathAt(state, node.from)).find((each) => each.name === name)
    if (!property?.description) return null
    const { description, isRequired, type } = property
    return {
      pos: node.from,
      end: node.to,
      create: () => {
        const dom = document.createElement("div")
        dom.className = "cm-field-text"
        dom.textContent = `${[type, isRequired && "required"].filter(Boolean).join(", ")}\n${description}`
        return { dom }
      }
    }
  })

const punctuation = ["[", "]", "{", "}", ",", "⚠"]

const childAt = (state: EditorState, node: Node, step: string | number): Node | undefined => {
  const children: Array<Node> = []
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (!punctuation.includes(child.name)) children.push(child)
  }
  return node.name === "Array"
    ? children[Number(step)]
    : children.find((child) => child.name === "Property" && nameOf(state, child) === String(step))?.lastChild ??
      undefined
}

export const toDiagnostic = (
  state: EditorState,
  { message, path }: { readonly path: Path; readonly message: string }
): Diagnostic => {
  let node: Node = syntaxTree(state).topNode.firstChild ?? syntaxTree(state).topNode
  for (const step of path) {
    const next = childAt(state, node, step)
    if (!next) break
    node = next
  }
  return { from: node.from, to: node.to, severity: "error", message: `${path.join(".")}: ${message}` }
}
