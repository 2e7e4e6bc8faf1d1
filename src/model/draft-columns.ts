/**
 * The fields of a long file's payments, stored by columns in a tenth of the memory that objects would take. A
 * payment's fields are put together when they are read.
 */
import { type Amount, DecimalColumn } from "../money/index.ts";
import { Column } from "./column.ts";
import type { InstructionFields } from "./instruction.ts";

/** The fields that are texts, switches or plain numbers. */
export type PlainField = keyof PlainFields;

type PlainFields = Omit<InstructionFields, "amount">;

type FieldColumns = {
  readonly [Name in keyof Required<PlainFields>]: Column<PlainFields[Name]>;
};

export class DraftColumns {
  private readonly currencies = new Column<string>();
  private readonly values = new DecimalColumn();
  private readonly columns: FieldColumns = {
    username: new Column(),
    custodyAccountId: new Column(),
    reference: new Column(),
    customerId: new Column(),
    callbackUrl: new Column(),
    destinationAddress: new Column(),
    destinationAccountId: new Column(),
    feePolicy: new Column(),
    customFeeRateSatPerVbyte: new Column(),
    verifyBalance: new Column(),
    subtractFee: new Column(),
    useCoinConsolidation: new Column(),
    batchingAllowed: new Column(),
    orderCodeName: new Column(),
    generalLedgerName: new Column(),
    generalLedgerProject: new Column(),
    generalLedgerDistribution: new Column(),
    payOn: new Column(),
  };

  /** Returns the index under which they can be read. */
  add(fields: InstructionFields): number {
    const { columns } = this;
    columns.username.add(fields.username);
    columns.custodyAccountId.add(fields.custodyAccountId);
    columns.reference.add(fields.reference);
    columns.customerId.add(fields.customerId);
    columns.callbackUrl.add(fields.callbackUrl);
    this.currencies.add(fields.amount.currency);
    this.values.add(fields.amount.value);
    columns.destinationAddress.add(fields.destinationAddress);
    columns.destinationAccountId.add(fields.destinationAccountId);
    columns.feePolicy.add(fields.feePolicy);
    columns.customFeeRateSatPerVbyte.add(fields.customFeeRateSatPerVbyte);
    columns.verifyBalance.add(fields.verifyBalance);
    columns.subtractFee.add(fields.subtractFee);
    columns.useCoinConsolidation.add(fields.useCoinConsolidation);
    columns.batchingAllowed.add(fields.batchingAllowed);
    columns.orderCodeName.add(fields.orderCodeName);
    columns.generalLedgerName.add(fields.generalLedgerName);
    columns.generalLedgerProject.add(fields.generalLedgerProject);
    columns.generalLedgerDistribution.add(fields.generalLedgerDistribution);
    columns.payOn.add(fields.payOn);
    return columns.reference.length - 1;
  }

  /** One field, without the others. */
  field<Name extends PlainField>(name: Name, index: number): PlainFields[Name] {
    const column: Column<PlainFields[Name]> = this.columns[name];
    return column.at(index);
  }

  currency(index: number): string {
    return this.currencies.at(index);
  }

  amount(index: number): Amount {
    return { currency: this.currency(index), value: this.values.at(index) };
  }

  at(index: number): InstructionFields {
    const { columns } = this;
    return {
      username: columns.username.at(index),
      custodyAccountId: columns.custodyAccountId.at(index),
      reference: columns.reference.at(index),
      customerId: columns.customerId.at(index),
      callbackUrl: columns.callbackUrl.at(index),
      amount: this.amount(index),
      destinationAddress: columns.destinationAddress.at(index),
      destinationAccountId: columns.destinationAccountId.at(index),
      feePolicy: columns.feePolicy.at(index),
      customFeeRateSatPerVbyte: columns.customFeeRateSatPerVbyte.at(index),
      verifyBalance: columns.verifyBalance.at(index),
      subtractFee: columns.subtractFee.at(index),
      useCoinConsolidation: columns.useCoinConsolidation.at(index),
      batchingAllowed: columns.batchingAllowed.at(index),
      orderCodeName: columns.orderCodeName.at(index),
      generalLedgerName: columns.generalLedgerName.at(index),
      generalLedgerProject: columns.generalLedgerProject.at(index),
      generalLedgerDistribution: columns.generalLedgerDistribution.at(index),
      payOn: columns.payOn.at(index),
    };
  }
}
