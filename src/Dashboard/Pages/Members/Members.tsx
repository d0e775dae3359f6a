import { useState } from "react"
import type { Member } from "../../../Domain/Member.ts"
import { actionsColumn } from "../../Parts/Actions.tsx"
import { Confirm } from "../../Parts/Confirm.tsx"
import { ListPage } from "../../Parts/ListPage.tsx"
import { nameColumn } from "../../Parts/NameColumn.tsx"
import type { Column } from "../../Parts/Table.tsx"
import { timeColumn } from "../../Parts/Time.tsx"
import { budgetWords } from "../../Rights/Rights.ts"
import { useClientName } from "../../Service/ClientName.ts"
import { useKeys, useMembers } from "../../Service/Lists.ts"
import { useServiceMutation } from "../../Service/Queries.ts"
import { MemberForm } from "./MemberForm.tsx"
import { MemberLink } from "./MemberLink.tsx"

const roleWords = { admin: "Admin", member: "Member" }

type Open = { readonly dialog: "form"; readonly member: Member | undefined } | {
  readonly dialog: "link" | "delete"
  readonly member: Member
}

export const Members = () => {
  const [open, setOpen] = useState<Open>()
  const members = useMembers(true)
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
    timeColumn("Added", ({ created_at }) => created_at, { spare: true }),
    actionsColumn((member) => ({
      id: member.id,
      name: member.email,
      actions: [
        {
          title: "Sign-in link",
          label: `Make a sign-in link for ${member.email}`,
          onSelect: () => setOpen({ dialog: "link", member })
        },
        { title: "Change", label: `Change ${member.email}`, onSelect: () => setOpen({ dialog: "form", member }) },
        { title: "Delete", label: `Delete ${member.email}`, onSelect: () => setOpen({ dialog: "delete", member }) }
      ]
    }))
  ]
  const addButton = (
    <button
      type="button"
      className="primary"
      onClick={() => setOpen({ dialog: "form", member: undefined })}
    >
      Add a member
    </button>
  )
  const close = () => setOpen(undefined)
  return (
    <ListPage
      title="Members"
      about="People who sign in here. Their keys see the connections of their clients."
      actions={addButton}
      what="member"
      list={members}
      columns={columns}
      searchedTexts={({ email, id, name }) => [email, name, id]}
    >
      {open?.dialog === "form" && <MemberForm member={open.member} onClose={close} />}
      {open?.dialog === "link" && <MemberLink member={open.member} onClose={close} />}
      {open?.dialog === "delete" && <DeleteMember member={open.member} onClose={close} />}
    </ListPage>
  )
}

const DeleteMember = ({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) => {
  const keys = useKeys()
  const count = keys.data?.filter(({ member_id, revoked_at }) => member_id === member.id && revoked_at === null).length
  const remove = useServiceMutation((service, id: string) => service.members.delete({ params: { id } }), [
    "members",
    "keys"
  ])
  return (
    <Confirm
      title={`Delete ${member.email}?`}
      action="Delete the member"
      busy={remove.isPending}
      error={remove.error}
      typed={count === undefined || count > 0 ? member.email : undefined}
      onClose={onClose}
      onConfirm={() => remove.mutate(member.id, { onSuccess: onClose })}
    >
      <p>
        The member is signed out everywhere, and{" "}
        {count === undefined ? "its keys" : `its ${count} active ${count === 1 ? "key" : "keys"}`}{" "}
        are revoked. Connections stay.
      </p>
    </Confirm>
  )
}
