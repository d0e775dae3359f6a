import { useState } from "react"
import { TextField } from "../../Parts/Field.tsx"
import { useForm } from "../../Parts/Form.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { useServiceMutation } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"

export const OwnName = () => {
  const { member } = useSession()
  const [isOpen, setOpen] = useState(false)
  return (
    <span className="row-of">
      <bdi className={member.name === null ? "muted" : ""}>{member.name ?? "none"}</bdi>
      <button type="button" className="small" aria-label="Change your name" onClick={() => setOpen(true)}>
        Change
      </button>
      {isOpen && <Rename name={member.name ?? ""} onClose={() => setOpen(false)} />}
    </span>
  )
}

const Rename = ({ name, onClose }: { readonly name: string; readonly onClose: () => void }) => {
  const rename = useServiceMutation(
    ({ session }, name: string | null) => session.rename({ payload: { name } }),
    ["session", "members"]
  )
  const form = useForm(
    { name },
    [rename],
    ({ name }) => rename.mutate(name.trim() === "" ? null : name, { onSuccess: onClose })
  )
  return (
    <FormDialog title="Change your name" action="Change the name" {...form.dialog} onClose={onClose}>
      <TextField
        label="Name"
        help="Admins see it beside your e-mail address."
        autoComplete="name"
        {...form.field("name")}
      />
    </FormDialog>
  )
}
