import { Dialog as Base } from "@base-ui/react/dialog"
import type { ReactNode } from "react"

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly className?: string
  readonly children: ReactNode
}

/**
 * Open while it is mounted. Escape and a click outside call `onClose`. The first control gets the focus. Without
 * `autoFocus`, because the focus would not return to the control that has opened the dialog.
 */
export const Dialog = ({ children, className = "", onClose, title }: Props) => (
  <Base.Root open onOpenChange={onClose}>
    <Base.Portal>
      <Base.Backdrop className="backdrop" />
      <Base.Popup className={`dialog ${className}`}>
        <div className="dialog-body">
          <Base.Title>{title}</Base.Title>
          {children}
        </div>
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
)
