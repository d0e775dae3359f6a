import { useState } from "react"
import type { Member } from "../../../Domain/Member.ts"
import { CheckList } from "../../Parts/CheckList.tsx"
import { Choice } from "../../Parts/Choice.tsx"
import { EmailField } from "../../Parts/EmailField.tsx"
import { TextField } from "../../Parts/Field.tsx"
import { useForm } from "../../Parts/Form.ts"
import { FormDialog } from "../../Parts/FormDialog.tsx"
import { MoreOptions } from "../../Parts/MoreOptions.tsx"
import { namedOptions } from "../../Parts/Select.tsx"
import { budgetFieldCount, BudgetFields } from "../../Rights/BudgetFields.tsx"
import { useChangeMember, useClients, useCreateMember } from "../../Service/Lists.ts"
import { MemberLinkDialog, useMemberLink } from "./MemberLink.tsx"

const roles = [
  { value: "member", title: "Member", help: "Manages its own keys, and the connections of its clients." },
  { value: "admin", title: "Admin", help: "Manages everything, members too." }
] as const

/** Adds a member, or changes `member`. */
export const MemberForm = ({ member, onClose }: { readonly member?: Member; readonly onClose: () => void }) => {
  const [added, setAdded] = useState<Member>()
  const link = useMemberLink()
  const clients = useClients()
  const create = useCreateMember()
  const change = useChangeMember()
  const form = useForm(
    {
      email: member?.email ?? "",
      name: member?.name ?? "",
      role: member?.role ?? "member",
      limited: member?.role === "member" && member.client_ids === null ? "all" : "some",
      client_ids: member?.client_ids ?? [],
      budget: member?.budget ?? null
    },
    [create, change],
    ({ budget, client_ids, email, limited, name, role }) => {
      const payload = {
        email,
        name: name === "" ? null : name,
        role,
        budget,
        ...role === "member" && { client_ids: limited === "all" ? null : client_ids }
      }
      if (member) return change.mutate({ id: member.id, ...payload }, { onSuccess: onClose })
      create.mutate(payload, {
        onSuccess: (saved) => {
          setAdded(saved)
          link.mutate(saved.id)
        }
      })
    }
  )
  if (added) {
    return <MemberLinkDialog create={link} member={added} title={`${added.email} is added`} onClose={onClose} />
  }
  const { budget, limited, role } = form.values
  return (
    <FormDialog
      title={member ? `Change ${member.email}` : "Add a member"}
      action={member ? "Change the member" : "Add the member"}
      {...form.dialog}
      onClose={onClose}
    >
      {!member && <p className="meta">Next comes a sign-in link, which you send to the member.</p>}
      <EmailField {...form.field("email")} />
      <TextField label="Name (optional)" {...form.field("name")} />
      <Choice label="Role" name="role" options={roles} {...form.field("role")} />
      {role === "member" && (
        <Choice
          label="Clients"
          name="clients"
          options={[
            { value: "some", title: "Chosen clients", help: "The member sees only their connections." },
            { value: "all", title: "All clients", help: "Also those that are added later." }
          ]}
          {...form.field("limited")}
        />
      )}
      {role === "member" && limited === "some" && (
        <CheckList
          label="Chosen clients"
          options={clients.data && namedOptions(clients.data)}
          empty="There are no clients yet."
          {...form.field("client_ids")}
        />
      )}
      <MoreOptions count={budgetFieldCount} isOpen={budget !== null || form.hasError("budget")}>
        <p className="muted">For all keys and agents of the member, and its calls here, together.</p>
        <BudgetFields {...form.field("budget")} />
      </MoreOptions>
    </FormDialog>
  )
}
