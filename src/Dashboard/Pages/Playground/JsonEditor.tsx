import { loadLater } from "../../Parts/LoadLater.tsx"

/** Loaded later: the largest part of the dashboard. */
export const JsonEditor = loadLater(
  async () => (await import("./CodeMirrorEditor.tsx")).default,
  <div className="editor" aria-busy />
)
