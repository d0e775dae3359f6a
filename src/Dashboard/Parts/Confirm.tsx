import type { ReactNode } from "react"
import type { ServiceError } from "../Service/Service.ts"
import { Dialog } from "./Dialog.tsx"
import { ErrorNotice } from "./ErrorNotice.tsx"

interface Props {
  readonly title: string
  /** Says the consequence. */
  readonly children: ReactNode
  readonly keep?: string
  /** Repeats the verb of the title. */
  readonly action: string
  readonly busy: boolean
  readonly error: ServiceError | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export const Confirm = ({ action, busy, children, error, keep = "Keep it", onClose, onConfirm, title }: Props) => (
  <Dialog title={title} onClose={onClose}>
    {children}
    {error && <ErrorNotice error={error} />}
    <div className="dialog-actions">
      <button type="button" onClick={onClose} autoFocus>{keep}</button>
      <button type="button" className="danger" disabled={busy} onClick={onConfirm}>{action}</button>
    </div>
  </Dialog>
)
