import { autocompletion, type CompletionContext, completionKeymap } from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { json, jsonParseLinter } from "@codemirror/lang-json"
import { bracketMatching, defaultHighlightStyle, syntaxHighlighting, syntaxTree } from "@codemirror/language"
import { linter } from "@codemirror/lint"
import { EditorState } from "@codemirror/state"
import { EditorView, keymap, lineNumbers } from "@codemirror/view"
import { useEffect, useRef } from "react"
import type { JsonEditorProps } from "./JsonEditor.tsx"
import { propertiesAt } from "./SchemaPath.ts"

/** The names around a position in the document, from the outermost: `["body", "requests", "0"]`. */
const pathAt = (state: EditorState, position: number): ReadonlyArray<string> => {
  const path: Array<string> = []
  for (let node = syntaxTree(state).resolveInner(position, -1); node.parent; node = node.parent) {
    if (node.name === "Property") {
      const name = node.getChild("PropertyName")
      if (name && name.to < position) path.unshift(state.sliceDoc(name.from + 1, name.to - 1))
    } else if (node.parent.name === "Array") {
      path.unshift("0")
    }
  }
  return path
}

const completeFrom = (schema: JsonEditorProps["schema"]) => (context: CompletionContext) => {
  const word = context.matchBefore(/"[\w.]*"?|[\w.]+/)
  if (!word && !context.explicit) return null
  const properties = propertiesAt(schema, pathAt(context.state, context.pos))
  return {
    from: word?.from ?? context.pos,
    options: properties.map(({ description, name, type }) => ({
      label: `"${name}"`,
      apply: `"${name}": `,
      type: "property",
      ...type !== undefined && { detail: type },
      ...description !== undefined && { info: description }
    }))
  }
}

const appearance = EditorView.theme({
  "&": { fontSize: "13px", maxHeight: "50vh" },
  ".cm-scroller": { fontFamily: "var(--mono)", overflow: "auto" },
  ".cm-gutters": { background: "transparent", color: "var(--text-2)", border: "none" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "2px" },
  ".cm-tooltip": { background: "var(--surface-1)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-completionInfo": { maxWidth: "40ch" },
  ".cm-cursor": { borderLeftColor: "var(--text)" }
})

/**
 * Lives in a shadow root: there CodeMirror puts its styles into an adopted style sheet, which the
 * Content-Security-Policy allows. A `<style>` element would be refused.
 */
const CodeMirrorEditor = ({ label, onChange, schema, text }: JsonEditorProps) => {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const change = useRef(onChange)
  change.current = onChange

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
          history(),
          bracketMatching(),
          json(),
          linter(jsonParseLinter()),
          syntaxHighlighting(defaultHighlightStyle),
          autocompletion({ override: [completeFrom(schema)] }),
          // Tab leaves the editor, for people without a mouse.
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          appearance,
          EditorView.contentAttributes.of({ "aria-label": label }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) change.current(state.doc.toString())
          })
        ]
      })
    })
    view.current = editor
    return () => editor.destroy()
    // A new schema makes a new editor; its text is set below.
  }, [label, schema])

  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === text) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
  }, [text])

  return <div className="editor" ref={host} />
}

export default CodeMirrorEditor
