import { lazy, Suspense } from "react"
import type { Issue } from "../../../Domain/Issue.ts"

const Editor = lazy(() => import("./CodeMirrorEditor.tsx"))

export interface JsonEditorProps {
  readonly label: string
  readonly text: string
  readonly schema: Readonly<Record<string, unknown>>
  /** Paths start at the outermost field of the text. */
  readonly issues: ReadonlyArray<Issue>
  readonly onChange: (text: string) => void
}

/** Loaded lazily: the largest part of the dashboard. */
export const JsonEditor = (props: JsonEditorProps) => (
  <Suspense fallback={<div className="editor" aria-busy />}>
    <Editor {...props} />
  </Suspense>
)
