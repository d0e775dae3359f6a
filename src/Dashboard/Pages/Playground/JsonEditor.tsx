import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { loadLater } from "../../Parts/LoadLater.tsx"

export interface JsonEditorProps {
  readonly label: string
  readonly text: string
  readonly schema: Readonly<Record<string, unknown>>
  /** Paths start at the outermost field of the text. */
  readonly issues: ReadonlyArray<Issue>
  readonly onChange: (text: string) => void
}

/** Loaded later: the largest part of the dashboard. */
export const JsonEditor = loadLater<JsonEditorProps>(
  async () => (await import("./CodeMirrorEditor.tsx")).default,
  <div className="editor" aria-busy />
)
