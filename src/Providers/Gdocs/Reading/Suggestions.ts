import type { DocumentTab, ParagraphElement, StructuralElement } from "../Responses.ts"

export type SuggestionsMode = "hide" | "mark"

interface Suggested {
  readonly suggestedInsertionIds?: ReadonlyArray<string>
  readonly suggestedDeletionIds?: ReadonlyArray<string>
}

export const isInserted = ({ suggestedInsertionIds = [] }: Suggested = {}): boolean => suggestedInsertionIds.length > 0

export const isDeleted = ({ suggestedDeletionIds = [] }: Suggested = {}): boolean => suggestedDeletionIds.length > 0

export type ElementKind = Exclude<keyof ParagraphElement, "startIndex" | "endIndex">

const kinds = [
  "textRun",
  "autoText",
  "pageBreak",
  "columnBreak",
  "horizontalRule",
  "equation",
  "footnoteReference",
  "inlineObjectElement",
  "person",
  "richLink",
  "dateElement"
] as const satisfies ReadonlyArray<ElementKind>

export const elementContent = (element: ParagraphElement): ParagraphElement[ElementKind] => {
  const kind = kinds.find((each) => element[each] !== undefined)
  return kind === undefined ? undefined : element[kind]
}

export const countPendingSuggestions = ({ body, footnotes = {} }: DocumentTab): number =>
  new Set([body, ...Object.values(footnotes)].flatMap((segment) => idsIn(segment?.content))).size

const idsIn = (content: ReadonlyArray<StructuralElement> = []): ReadonlyArray<string> =>
  content.flatMap(({ paragraph, table }) => [
    ...keysOf(paragraph?.suggestedParagraphStyleChanges),
    ...keysOf(paragraph?.suggestedBulletChanges),
    ...(paragraph?.elements ?? []).flatMap((element) => {
      const content = elementContent(element)
      return [
        ...suggestionIds(content),
        ...keysOf(
          content !== undefined && "suggestedTextStyleChanges" in content ? content.suggestedTextStyleChanges : {}
        )
      ]
    }),
    ...suggestionIds(table),
    ...(table?.tableRows ?? []).flatMap((row) => [
      ...suggestionIds(row),
      ...(row.tableCells ?? []).flatMap((cell) => [...suggestionIds(cell), ...idsIn(cell.content)])
    ])
  ])

const suggestionIds = (
  { suggestedDeletionIds = [], suggestedInsertionIds = [] }: Suggested = {}
): ReadonlyArray<string> => [
  ...suggestedInsertionIds,
  ...suggestedDeletionIds
]

const keysOf = (changes: Readonly<Record<string, unknown>> = {}): ReadonlyArray<string> => Object.keys(changes)
