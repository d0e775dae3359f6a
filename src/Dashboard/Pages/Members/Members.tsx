import type { Member } from "../../../Domain/Member.ts"
import { Confirm } from "../../Parts/Confirm.tsx"
import { confirming } from "../../Parts/Form.ts"
import { ListPage } from "../../Parts/ListPage.tsx"
import { nameColumn } from "../../Parts/NameColumn.tsx"
import type { Column } from "../../Parts/Table.tsx"
import { timeColumn } from "../../Parts/Time.tsx"
import { budgetWords } from "../../Rights/Rights.ts"
import { useClientName } from "../../Service/ClientName.ts"
import { useDeleteMember, useKeys, useMembers } from "../../Service/Lists.ts"
import { MemberForm } from "./MemberForm.tsx"
import { MemberLink } from "./MemberLink.tsx"

const roleWords = { admin: "Admin", member: "Member" }

export const Members = () => {
  const clientName = useClientName()
  const clientNames = (ids: ReadonlyArray<string> | null) =>
    ids === null ? "All clients" : ids.map((id) => clientName(id) ?? id).join(", ")
  const columns: ReadonlyArray<Column<Member>> = [
    nameColumn("E-mail", ({ email }) => email),
    {
      title: "Name",
      spare: true,
      sortBy: ({ name }) => name,
      cell: ({ name }) => <span className="owner">{name}</span>
    },
    {
      title: "Role",
      sortBy: ({ role }) => role,
      cell: ({ budget, role }) => (
        <span>
          <span className="nowrap">{roleWords[role]}</span>
          {budget !== null && <span className="meta below-name">{budgetWords(budget)}</span>}
        </span>
      )
    },
    {
      title: "Clients",
      minor: true,
      cell: ({ client_ids }) => (
        <span className="name plain" title={clientNames(client_ids)}>{clientNames(client_ids) || "None"}</span>
      )
    },
    timeColumn("Added", ({ created_at }) => created_at, { spare: true })
  ]
  return (
    <ListPage
      title="Members"
      about="People who sign in here. Their keys see the connections of their clients."
      make={{ title: "Add a member", dialog: (onClose) => <MemberForm onClose={onClose} /> }}
      what="member"
      list={useMembers()}
      columns={columns}
      nameOf={({ email }) => email}
      rowActions={(member) => [
        {
          title: "Sign-in link",
          label: `Make a sign-in link for ${member.email}`,
          dialog: (onClose) => <MemberLink member={member} onClose={onClose} />
        },
        { title: "Change", dialog: (onClose) => <MemberForm member={member} onClose={onClose} /> },
        { title: "Delete", dialog: (onClose) => <DeleteMember member={member} onClose={onClose} /> }
      ]}
      searchedTexts={({ name }) => [name]}
    />
  )
}

const DeleteMember = ({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) => {
  const keys = useKeys()
  const count = keys.data?.filter(({ member_id, revoked_at }) => member_id === member.id && revoked_at === null).length
  return (
    <Confirm
      title={`Delete ${member.email}?`}
      action="Delete the member"
      {...confirming(useDeleteMember(), member.id, onClose)}
      typed={count === undefined || count > 0 ? member.email : undefined}
      onClose={onClose}
    >
      <p>
        The member is signed out everywhere, and{" "}
        {count === undefined ? "its keys" : `its ${count} active ${count === 1 ? "key" : "keys"}`}{" "}
        are revoked. Connections stay.
      </p>
    </Confirm>
  )
}
