import { type ReactNode, useState } from "react"
import type { ServiceError } from "../Service/Service.ts"
import { Dialog } from "./Dialog.tsx"
import { ErrorNotice } from "./ErrorNotice.tsx"
import { TextField } from "./Field.tsx"

interface Props {
  readonly title: string
  readonly children: ReactNode
  readonly keep?: string
  readonly action: string
  /** A name that must be typed first, for an action that cannot be undone and on which others depend. */
  readonly typed?: string | undefined
  readonly busy: boolean
  readonly error: ServiceError | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export const Confirm = (
  { action, busy, children, error, keep = "Keep it", onClose, onConfirm, title, typed }: Props
) => {
  const [text, setText] = useState("")
  const isTyped = typed === undefined || text.trim() === typed.trim()
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {typed !== undefined && (
        <TextField
          label="Type its name to confirm"
          help={<bdi className="mono">{typed}</bdi>}
          autoComplete="off"
          value={text}
          onChange={setText}
        />
      )}
      {error && <ErrorNotice error={error} />}
      <div className="dialog-actions">
        <button type="button" onClick={onClose}>{keep}</button>
        <button type="button" className="danger" disabled={busy || !isTyped} onClick={onConfirm}>{action}</button>
      </div>
    </Dialog>
  )
}
