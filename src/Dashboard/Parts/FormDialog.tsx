import type { ReactNode } from "react"
import type { ServiceError } from "../Service/Service.ts"
import { Dialog } from "./Dialog.tsx"
import { ErrorNotice } from "./ErrorNotice.tsx"
import { submitting } from "./Form.ts"

interface Props {
  readonly title: string
  readonly action: string
  readonly busy: boolean
  /** An error that no field shows. */
  readonly error: ServiceError | null | undefined
  /** Goes to the step before, in a dialog of several steps. */
  readonly onBack?: () => void
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

export const FormDialog = ({ action, busy, children, error, onBack, onClose, onSubmit, title }: Props) => (
  <Dialog title={title} onClose={onClose}>
    <form className="stack" onSubmit={submitting(onSubmit)}>
      {children}
      {error && <ErrorNotice error={error} />}
      <div className="dialog-actions">
        <button type="button" onClick={onBack ?? onClose}>{onBack ? "Back" : "Cancel"}</button>
        <button className="primary" disabled={busy}>{action}</button>
      </div>
    </form>
  </Dialog>
)
