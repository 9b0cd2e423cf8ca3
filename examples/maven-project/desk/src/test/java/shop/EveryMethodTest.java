package shop;

import lazuli.junit.CheckClass;

/** A test for each public method of the class. */
@CheckClass(Desk.class)
class EveryMethodTest {}
