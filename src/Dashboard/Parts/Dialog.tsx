import { Dialog as Base } from "@base-ui/react/dialog"
import type { ReactNode } from "react"

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly className?: string
  readonly children: ReactNode
}

/**
 * Is open while it is mounted. Escape and a click beside it ask to close it. Its first control gets the focus: with
 * `autoFocus` in it, the focus would not return to what has opened it.
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
