import { type ReactNode, useEffect, useId, useRef } from "react"

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly className?: string
  readonly children: ReactNode
}

/** A dialog that follows another one has no opener of its own. */
let lastOpener: Element | null = null

export const Dialog = ({ children, className, onClose, title }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const element = dialog.current
    if (document.activeElement !== document.body) lastOpener = document.activeElement
    const opener = lastOpener
    if (element && !element.open) element.showModal()
    return () => {
      // After the changes of this render: the dialog is gone, and the page may have what opened it no more.
      queueMicrotask(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && opener instanceof HTMLElement) opener.focus()
      })
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className="dialog-body">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
