import { useState } from "react"
import type { AboutCallProps } from "../../../Dashboard/Frame/FeaturePages.ts"
import { Time } from "../../../Dashboard/Parts/Time.tsx"
import { useSession } from "../../../Dashboard/Session/Session.tsx"
import { UndoCall } from "./UndoCall.tsx"

export const UndoButton = ({ call: { id, member_id, undoable_until, undone_by }, onSelect }: AboutCallProps) => {
  const { isAdmin, member } = useSession()
  const [isOpen, setOpen] = useState(false)
  const isLate = undoable_until === null || undoable_until.getTime() <= Date.now()
  // The dialog stays until the new call is shown, although the old one is read again before.
  if (!isOpen && (isLate || undone_by !== null || !isAdmin && member_id !== member.id)) return null
  return (
    <div className="notice next-step">
      <span>
        What it changed can be undone. This ends <Time at={undoable_until} />.
      </span>
      <button type="button" onClick={() => setOpen(true)}>Undo</button>
      {isOpen && (
        <UndoCall
          id={id}
          onClose={() => setOpen(false)}
          onUndone={(callId) => {
            setOpen(false)
            onSelect(callId)
          }}
        />
      )}
    </div>
  )
}
