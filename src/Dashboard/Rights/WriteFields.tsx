import type { Rights } from "../../Domain/Access/Rights.ts"
import { Choice } from "../Parts/Choice.tsx"
import { featuresOff } from "../Service/ServedPage.ts"

const asks = !featuresOff.includes("approvals")
const undoes = !featuresOff.includes("undo")

/** For a key or an agent that may write. */
export const WriteFields = ({ onChange, rights }: {
  readonly rights: Rights
  readonly onChange: (rights: Rights) => void
}) => (
  <>
    <Choice
      label="When it changes something"
      name="writes"
      options={[
        { value: "allow", title: "Let it change data by itself", help: "Each change is in the logs." },
        {
          value: "ask",
          title: asks ? "Ask me before each change" : "Refuse each change",
          help: asks
            ? "Nothing is changed before you have seen it under Approvals and approved it."
            : "It asks before each change, and this service has no approvals."
        }
      ]}
      value={rights.writes}
      onChange={(writes) => onChange({ ...rights, writes })}
    />
    {undoes && (
      <label className="row-of tick">
        <input
          type="checkbox"
          checked={rights.undo}
          onChange={(event) => onChange({ ...rights, undo: event.target.checked })}
        />
        <span>
          Keep what it changes for 72 hours
          <span className="help">Changes of cells and texts can then be undone from the logs.</span>
        </span>
      </label>
    )}
  </>
)
