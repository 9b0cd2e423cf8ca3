package shop

/** A ring of stations; `first` is where the tour begins. */
class Ring {
  private var first: Station = null
  private var size: Int = 0

  def repOK(): Boolean = {
    val seen = new java.util.HashSet[Station]
    var at = first
    while (at != null && seen.add(at)) {
      at = at.next
    }
    seen.size == size && (at eq first)
  }

  def length: Int = size

  def add(): Unit = {
    val station = new Station
    if (first == null) {
      station.next = station
      first = station
    } else {
      station.next = first.next
      first.next = station
    }
    size += 1
  }

  /** The defect: the last station stays behind as the first one, and counts no more. */
  def removeNext(): Unit = if (first != null) {
    first.next = first.next.next
    size -= 1
  }
}

final class Station {
  var next: Station = null
}
