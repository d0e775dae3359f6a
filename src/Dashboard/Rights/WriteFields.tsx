import { Choice } from "../Parts/Choice.tsx"
import type { Rights } from "./Rights.ts"

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
          title: "Ask me before each change",
          help: "Nothing is changed before you have seen it under Approvals and approved it."
        }
      ]}
      value={rights.writes}
      onChange={(writes) => onChange({ ...rights, writes })}
    />
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
  </>
)
