import { append } from "../../../Domain/Lists.ts"
import { type DocumentTab, elementKinds, type ParagraphElement, type StructuralElement } from "../Responses.ts"

export type SuggestionsMode = "hide" | "mark"

interface Suggested {
  readonly suggestedInsertionIds?: ReadonlyArray<string>
  readonly suggestedDeletionIds?: ReadonlyArray<string>
}

export const isInserted = ({ suggestedInsertionIds = [] }: Suggested = {}): boolean => suggestedInsertionIds.length > 0

export const isDeleted = ({ suggestedDeletionIds = [] }: Suggested = {}): boolean => suggestedDeletionIds.length > 0

export const elementContent = (element: ParagraphElement) =>
  elementKinds.map((kind) => element[kind]).find((content) => content !== undefined)

const isHidden = (element: ParagraphElement): boolean => isInserted(elementContent(element))

/** Where the end of a paragraph is a hidden suggestion, the paragraph goes on in the next one. */
export const joinParagraphs = (
  content: ReadonlyArray<StructuralElement>,
  suggestions: SuggestionsMode
): ReadonlyArray<StructuralElement> => {
  if (suggestions === "mark") return content
  const joined: Array<StructuralElement> = []
  let elements: Array<ParagraphElement> | undefined
  for (const element of content) {
    const { endIndex = 0, paragraph } = element
    const before = joined.at(-1)
    const shown = elements ?? before?.paragraph?.elements ?? []
    const last = shown.at(-1)
    const goesOn = last?.textRun?.content?.endsWith("\n") === true && isHidden(last) &&
      (elements !== undefined || !shown.every(isHidden))
    if (goesOn && before?.paragraph !== undefined && paragraph !== undefined) {
      elements ??= [...shown]
      append(elements, paragraph.elements ?? [])
      joined[joined.length - 1] = { ...before, endIndex, paragraph: { ...before.paragraph, elements } }
    } else {
      joined.push(element)
      elements = undefined
    }
  }
  return joined
}

/** Suggestions in what decodes: all fields about them have names that begin with `suggested`. */
export const countPendingSuggestions = (contents: DocumentTab): number => {
  const ids = new Set<unknown>()
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    for (const [key, field] of Object.entries(value)) {
      if (!key.startsWith("suggested")) visit(field)
      else for (const id of idsIn(field)) ids.add(id)
    }
  }
  visit(contents)
  return ids.size
}

const idsIn = (field: unknown): ReadonlyArray<unknown> =>
  typeof field === "string" ? [field] : Array.isArray(field) ? field : Object.keys(Object(field))
