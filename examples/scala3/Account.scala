package shop

/** An amount in cents: no type of its own in the class file. */
opaque type Cents = Int

object Cents:
  def apply(amount: Int): Cents = amount

  extension (cents: Cents)
    def isDebt: Boolean = cents < 0
    def plus(other: Cents): Cents = cents + other

/** An account whose balance is never a debt, and nothing when it is closed. */
class Account:
  private var balance: Cents = Cents(0)
  private var isClosed: Boolean = false

  def repOK(): Boolean = !balance.isDebt && (!isClosed || balance == Cents(0))

  /** Turns away what would be too much. */
  def pay(cents: Cents): Boolean =
    val after = balance.plus(cents)
    if isClosed || cents.isDebt || after.isDebt then false
    else
      balance = after
      true

  /** The defect: what is left stays on the account. */
  def close(): Unit = isClosed = true
