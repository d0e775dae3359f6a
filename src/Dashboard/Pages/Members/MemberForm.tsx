import { useState } from "react"
import type { Member, NewMember, Role } from "../../../Domain/Member.ts"
import { CheckList } from "../../Parts/CheckList.tsx"
import { Choice } from "../../Parts/Choice.tsx"
import { EmailField } from "../../Parts/EmailField.tsx"
import { TextField } from "../../Parts/Field.tsx"
import { fieldErrors } from "../../Parts/FieldErrors.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { MoreOptions } from "../../Parts/MoreOptions.tsx"
import { namedOptions } from "../../Parts/Select.tsx"
import { budgetFieldCount, BudgetFields } from "../../Rights/BudgetFields.tsx"
import { useClients } from "../../Service/Lists.ts"
import { useServiceMutation } from "../../Service/Queries.ts"
import { MemberLinkDialog, useMemberLink } from "./MemberLink.tsx"

const roles = [
  { value: "member", title: "Member", help: "Manages its own keys, and the connections of its clients." },
  { value: "admin", title: "Admin", help: "Manages everything, members too." }
] as const

export const MemberForm = (
  { member, onClose }: { readonly member: Member | undefined; readonly onClose: () => void }
) => {
  const [email, setEmail] = useState(member?.email ?? "")
  const [name, setName] = useState(member?.name ?? "")
  const [role, setRole] = useState<Role>(member?.role ?? "member")
  const [limited, setLimited] = useState<"all" | "some">(
    member?.role === "member" && member.client_ids === null ? "all" : "some"
  )
  const [clientIds, setClientIds] = useState<ReadonlyArray<string>>(member?.client_ids ?? [])
  const [budget, setBudget] = useState(member?.budget ?? null)
  const [added, setAdded] = useState<Member>()
  const link = useMemberLink()
  const clients = useClients()
  const save = useServiceMutation(
    (service, payload: NewMember) =>
      member ? service.members.change({ params: { id: member.id }, payload }) : service.members.create({ payload }),
    ["members", "session"]
  )
  const errors = fieldErrors(save.error, ["email", "name", "budget"])
  const submit = () => {
    save.mutate({
      email,
      name: name === "" ? null : name,
      role,
      budget,
      ...role === "member" && { client_ids: limited === "all" ? null : clientIds }
    }, {
      onSuccess: (saved) => {
        if (member) return onClose()
        setAdded(saved)
        link.mutate(saved.id)
      }
    })
  }
  if (added) {
    return <MemberLinkDialog create={link} member={added} title={`${added.email} is added`} onClose={onClose} />
  }
  const verb = member ? "Change the member" : "Add the member"
  return (
    <FormDialog
      title={member ? `Change ${member.email}` : "Add a member"}
      action={verb}
      busy={save.isPending}
      error={errors.unplaced}
      onSubmit={submit}
      onClose={onClose}
    >
      {!member && <p className="meta">Next comes a sign-in link, which you send to the member.</p>}
      <EmailField error={errors.of("email")} value={email} onChange={setEmail} />
      <TextField label="Name (optional)" error={errors.of("name")} value={name} onChange={setName} />
      <Choice label="Role" name="role" options={roles} value={role} onChange={setRole} />
      {role === "member" && (
        <Choice
          label="Clients"
          name="clients"
          options={[
            { value: "some", title: "Chosen clients", help: "The member sees only their connections." },
            { value: "all", title: "All clients", help: "Also those that are added later." }
          ]}
          value={limited}
          onChange={setLimited}
        />
      )}
      {role === "member" && limited === "some" && (
        <CheckList
          label="Chosen clients"
          options={clients.data && namedOptions(clients.data)}
          chosen={clientIds}
          empty="There are no clients yet."
          onChange={setClientIds}
        />
      )}
      <MoreOptions count={budgetFieldCount} isOpen={budget !== null || errors.of("budget") !== undefined}>
        <p className="muted">For all keys and agents of the member, and its calls here, together.</p>
        <BudgetFields error={errors.of("budget")} value={budget} onChange={setBudget} />
      </MoreOptions>
    </FormDialog>
  )
}
