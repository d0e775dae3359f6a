import { autocompletion, completionKeymap } from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { json, jsonParseLinter } from "@codemirror/lang-json"
import {
  bracketMatching,
  codeFolding,
  defaultHighlightStyle,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  syntaxHighlighting
} from "@codemirror/language"
import { forceLinting, linter } from "@codemirror/lint"
import { EditorState, StateEffect } from "@codemirror/state"
import { EditorView, keymap, lineNumbers } from "@codemirror/view"
import { useEffect, useRef } from "react"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { completeFrom, describeFrom, toDiagnostic } from "./SchemaAssist.ts"

const appearance = EditorView.theme({
  "&": { fontSize: "13px", maxHeight: "50vh" },
  ".cm-scroller": { fontFamily: "var(--mono)", overflow: "auto" },
  ".cm-content": { minHeight: "140px" },
  ".cm-gutters": { background: "transparent", color: "var(--text-2)", border: "none" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "2px" },
  ".cm-tooltip": { background: "var(--surface-1)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionInfo": { maxWidth: "40ch" },
  ".cm-field-text": { maxWidth: "50ch", padding: "6px 10px", whiteSpace: "pre-wrap" },
  // The Content-Security-Policy refuses the default images, which are data URLs.
  ".cm-lintRange": { backgroundImage: "none" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--error)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-foldPlaceholder": { background: "var(--surface-3)", border: "none", color: "var(--text-2)" }
})

const colors = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) =>
    spec.color === undefined
      ? spec
      : { ...spec, color: `light-dark(${spec.color}, color-mix(in oklch, ${spec.color}, white 60%))` }
  )
)

/** Without it, `forceLinting` does nothing once the text was checked. */
const issuesChanged = StateEffect.define<void>()

/**
 * In a shadow root, CodeMirror uses an adopted style sheet. The Content-Security-Policy refuses a `<style>` element.
 */
export const CodeMirrorEditor = ({ issues, label, onChange, schema, text }: {
  readonly label: string
  /** What the editor begins with. Set again while a person types, it would take back keystrokes. */
  readonly text: string
  readonly schema: Readonly<Record<string, unknown>>
  /** Paths start at the outermost field of the text. */
  readonly issues: ReadonlyArray<Issue>
  readonly onChange: (text: string) => void
}) => {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const change = useRef(onChange)
  change.current = onChange
  const found = useRef(issues)

  useEffect(() => {
    if (!host.current) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open", delegatesFocus: true })
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          codeFolding(),
          foldGutter(),
          history(),
          bracketMatching(),
          EditorView.lineWrapping,
          json(),
          linter(jsonParseLinter()),
          linter(({ state }) => found.current.map((issue) => toDiagnostic(state, issue)), {
            needsRefresh: ({ transactions }) =>
              transactions.some(({ effects }) => effects.some((effect) => effect.is(issuesChanged)))
          }),
          syntaxHighlighting(colors),
          autocompletion({ override: [completeFrom(schema)] }),
          describeFrom(schema),
          // Without a key for Tab, so that Tab leaves the editor.
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap]),
          appearance,
          EditorView.contentAttributes.of({ "aria-label": label }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return
            found.current = []
            change.current(state.doc.toString())
          })
        ]
      })
    })
    view.current = editor
    return () => editor.destroy()
  }, [label, schema])

  useEffect(() => {
    found.current = issues
    if (!view.current) return
    view.current.dispatch({ effects: issuesChanged.of() })
    forceLinting(view.current)
  }, [issues])

  return <div className="editor" ref={host} />
}
