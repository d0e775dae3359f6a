import type { DocumentTab, ParagraphElement, StructuralElement } from "./DocumentAnswer.ts"

/** `hide`: as the document stands now, without what is only suggested. `mark`: `{++added++}` and `{--removed--}`. */
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

/** The one thing that a paragraph element is. */
export const thingIn = (element: ParagraphElement): ParagraphElement[ElementKind] => {
  const kind = kinds.find((each) => element[each] !== undefined)
  return kind === undefined ? undefined : element[kind]
}

/** How many suggestions wait in a tab. */
export const countSuggestions = ({ body, footnotes = {} }: DocumentTab): number =>
  new Set([body, ...Object.values(footnotes)].flatMap((segment) => idsIn(segment?.content))).size

const idsIn = (content: ReadonlyArray<StructuralElement> = []): ReadonlyArray<string> =>
  content.flatMap(({ paragraph, table }) => [
    ...keysOf(paragraph?.suggestedParagraphStyleChanges),
    ...keysOf(paragraph?.suggestedBulletChanges),
    ...(paragraph?.elements ?? []).flatMap((element) => {
      const thing = thingIn(element)
      return [
        ...own(thing),
        ...keysOf(thing !== undefined && "suggestedTextStyleChanges" in thing ? thing.suggestedTextStyleChanges : {})
      ]
    }),
    ...own(table),
    ...(table?.tableRows ?? []).flatMap((row) => [
      ...own(row),
      ...(row.tableCells ?? []).flatMap((cell) => [...own(cell), ...idsIn(cell.content)])
    ])
  ])

const own = ({ suggestedDeletionIds = [], suggestedInsertionIds = [] }: Suggested = {}): ReadonlyArray<string> => [
  ...suggestedInsertionIds,
  ...suggestedDeletionIds
]

const keysOf = (changes: Readonly<Record<string, unknown>> = {}): ReadonlyArray<string> => Object.keys(changes)
