//! Which calls make the values of the library that programs compute with: dates, amounts, identifiers?
//!
//! Their fields are never invented: a date of the 31st of February does not exist. The factory of each class takes plain numbers, and rejects those of
//! which it makes no value.

use lazuli_vm::program::{Class, Method, Program};

/// The method that makes objects of a class of the library.
pub(crate) struct ValueFactory {
    pub(crate) method: &'static Method,
    /// Does it make every object of the class, with the right arguments?
    pub(crate) makes_all: bool,
}

/// Classes, their constructors or static methods, and whether these make all objects.
const FACTORIES: &[(&str, &str, &str, bool)] = &[
    ("java/time/LocalDate", "of", "(III)Ljava/time/LocalDate;", true),
    ("java/time/LocalTime", "of", "(IIII)Ljava/time/LocalTime;", true),
    ("java/time/LocalDateTime", "of", "(Ljava/time/LocalDate;Ljava/time/LocalTime;)Ljava/time/LocalDateTime;", true),
    ("java/time/Duration", "ofSeconds", "(J)Ljava/time/Duration;", false),
    ("java/time/Instant", "ofEpochSecond", "(J)Ljava/time/Instant;", false),
    ("java/time/Period", "of", "(III)Ljava/time/Period;", true),
    ("java/time/YearMonth", "of", "(II)Ljava/time/YearMonth;", true),
    ("java/time/Year", "of", "(I)Ljava/time/Year;", true),
    ("java/util/Random", "<init>", "(J)V", false),
    ("java/util/UUID", "<init>", "(JJ)V", true),
    ("java/math/BigInteger", "valueOf", "(J)Ljava/math/BigInteger;", false),
    ("java/math/BigDecimal", "valueOf", "(JI)Ljava/math/BigDecimal;", false),
    ("java/lang/StringBuilder", "<init>", "(Ljava/lang/String;)V", false),
    ("java/util/concurrent/atomic/AtomicInteger", "<init>", "(I)V", true),
    ("java/util/concurrent/atomic/AtomicLong", "<init>", "(J)V", true),
    ("java/util/concurrent/atomic/AtomicBoolean", "<init>", "(Z)V", true),
];

/// The factory for the objects of a declared type of the library, if it has one.
pub(crate) fn factory_of(program: &Program, class: &'static Class) -> Option<ValueFactory> {
    let (_, name, descriptor, makes_all) = FACTORIES.iter().find(|(known, ..)| *known == class.name)?;
    let method = program.find_method(class, name, descriptor)?;
    Some(ValueFactory { method, makes_all: *makes_all })
}
